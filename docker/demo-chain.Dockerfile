# For docker/compose.yaml only, never published: a node with HyperEVM's rules in front of anvil, exchanges, demo tokens, and the
# secrets of the product.

# Any Debian-based image with Node 24 and npm.
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
FROM ${BUILD_IMAGE}
WORKDIR /workspace
COPY . .
# anvil has a separate package for each platform; its install script only checks for it. The contracts of Algebra Integral are a
# development dependency.
RUN npm ci --ignore-scripts --no-audit --no-fund --workspace libs/local-stack
COPY docker/demo-chain.ts docker/
RUN mkdir -p /run/maker && chown 65532:65532 /run/maker
ENV HOME=/tmp NODE_ENV=production
USER 65532:65532
VOLUME /run/maker
EXPOSE 8545
ENTRYPOINT ["node", "--conditions=@maker/source", "docker/demo-chain.ts"]
