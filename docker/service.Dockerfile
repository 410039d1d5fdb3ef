# Image of one service or of the operators' program: docker build -f docker/service.Dockerfile --build-arg SERVICE=job .
# SERVICE is a folder of apps/: api-gateway, token-validation, job, payment-watcher, maker-executor, receipts, webhook-sender or ops.

# Any Debian-based image with Node 24 and npm.
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
# Any image with the C and C++ libraries of the same Debian; this one has no shell and no package manager.
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12

# Only the manifests, without times, so that the layer of installed packages is cached until one of them changes.
FROM ${BUILD_IMAGE} AS manifests
WORKDIR /workspace
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete \
  && find . -type d -empty -delete \
  && find . -exec touch --date=@0 {} +

# Only Node: a layer that all images share.
FROM ${BUILD_IMAGE} AS node
RUN mkdir /app && cp "$(node -p process.execPath)" /app/node

FROM ${BUILD_IMAGE} AS build
WORKDIR /workspace
COPY --from=manifests /workspace ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN apps='apps/api-gateway apps/token-validation apps/job apps/payment-watcher apps/maker-executor apps/receipts apps/webhook-sender apps/ops' \
  && node_modules/.bin/tsc -b ${apps} \
  && node docker/bundle-service.mjs ${apps} \
  && find apps libs -path '*/dist/*' \( -name '*.d.ts' -o -name '*.d.ts.map' -o -name '*.tsbuildinfo' \) -delete

FROM build AS production
ARG SERVICE
RUN node docker/production-tree.mjs "apps/${SERVICE}" /production

FROM ${RUNTIME_IMAGE}
COPY --from=node /app /app
ARG SERVICE
COPY --from=production /production /app
WORKDIR /app/apps/${SERVICE}
# One malloc heap for all threads: docs/adr/0133.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
# The distroless images' 'nonroot'; any other number works too, since the program writes no files.
USER 65532:65532
EXPOSE 8080 9090
# Disables the signal that opens the debugger, which could read every key in memory.
ENTRYPOINT ["/app/node", "--disable-sigusr1", "--enable-source-maps", "dist/main.js"]
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="hyperevm-maker-bot ${SERVICE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="UNLICENSED"
