# The image of Postrider: the service, the simulator and the command line in one.
#
#   docker build -t postrider .
#   docker run -p 8080:8080 -v postrider:/data -e DATABASE_URL=postgres://… postrider
#   docker run postrider simulator        docker run postrider doctor
#
# BASE must hold Node 20.19 or later and npm on Linux with glibc.
ARG BASE=docker.io/library/node:24-trixie-slim

FROM ${BASE} AS built
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund \
 && npm run --silent package -- /build/packed \
 && mkdir /app \
 && tar -xzf /build/packed/postrider-*.tgz --strip-components=1 -C /app

# What the package needs when it runs, in the versions of the lock file; what only readers and compilers need stays out.
FROM ${BASE} AS modules
WORKDIR /modules
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY sdk/package.json sdk/
COPY console/package.json console/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund --workspace server \
 && rm -rf node_modules/@postrider node_modules/.package-lock.json \
 && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -type f -delete

FROM ${BASE}
LABEL org.opencontainers.image.title="Postrider" \
      org.opencontainers.image.description="Self-hosted, multi-tenant business messaging service" \
      org.opencontainers.image.licenses="MIT"
COPY --from=modules /modules/node_modules /app/node_modules
COPY --from=built /app /app
RUN mkdir -m 0700 /data && chown 65532:65532 /data
# Other containers and machines reach the service through this address: see docs/deploying.md about TLS.
# Room for new objects, in megabytes: a busy process copies fewer of them (docs/deploying.md, tuning).
ENV NODE_ENV=production HOST=0.0.0.0 MESSAGING_DATA_DIR=/data NODE_OPTIONS=--max-semi-space-size=32
WORKDIR /data
VOLUME /data
# A number, because Kubernetes cannot tell of a name whether it means root.
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "/app/node_modules/@postrider/server/starter/health.mjs"]
# Node handles signals itself, also as process 1.
ENTRYPOINT ["node", "/app/postrider.cjs"]
CMD ["serve"]
