# The site: shell, remotes, and the small server for them. docker build -f docker/site.Dockerfile .
# The same image serves every environment: the differences are in /config.json, which the server reads at its start.

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
ENV NODE_ENV=production
RUN node_modules/.bin/tsc -b apps/site libs/web-kit libs/web-kit/tsconfig.build.json libs/ui libs/receipt \
  && node docker/bundle-service.mjs apps/site \
  && find apps libs -path '*/dist/*' \( -name '*.d.ts' -o -name '*.d.ts.map' -o -name '*.tsbuildinfo' \) -delete
# The shell loads the remotes at run time, so all builds are independent.
RUN for config in apps/*/rspack.config.ts; do (cd "$(dirname "${config}")" && ../../node_modules/.bin/rspack build) || exit 1; done
RUN mkdir -p /site/remotes && cp -r apps/shell/dist/web /site/shell && cp -r apps/verify-page/dist/web /site/verify \
  && for entry in apps/*/src/step.tsx apps/*/src/page.tsx; do app="${entry%/src/*}"; cp -r "${app}/dist/web" "/site/remotes/${app#apps/}"; done \
  && find /site -name '*.map' -delete

FROM build AS production
RUN node docker/production-tree.mjs apps/site /production

FROM ${RUNTIME_IMAGE}
COPY --from=node /app /app
COPY --from=production /production /app
COPY --from=build /site /app/site
WORKDIR /app/apps/site
# One malloc heap for all threads: docs/adr/0133.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
# The distroless images' 'nonroot'; any other number works too, since the program writes no files.
USER 65532:65532
EXPOSE 8080 9090
ENTRYPOINT ["/app/node", "--enable-source-maps", "dist/main.js", "/app/site"]
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="hyperevm-maker-bot site" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="UNLICENSED"
