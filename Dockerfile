# One image for the API and the worker: `docker build -t parlance .`, with the command
# `dist/api/main.js` (default) or `dist/worker/main.js`. Contains compiled code, the workflow bundle
# and production packages, but no package of this repository (docs/decisions/packages.md). Runs as
# an unprivileged user and writes nothing to disk. No install script of a package runs
# (docs/dependencies.md).

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/cli/package.json packages/cli/
COPY packages/client/package.json packages/client/
COPY packages/process-lock/package.json packages/process-lock/
COPY packages/store-engine/package.json packages/store-engine/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts && node deploy/prune-packages.mjs

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Parlance" \
      org.opencontainers.image.description="Durable conversation messaging: the API and the worker" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 WORKER_PORT=3001
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
# The image's user `node`. A number lets the host verify that it is not root.
USER 1000
EXPOSE 3000
STOPSIGNAL SIGTERM
# Alive, not ready: an outage of a database must not restart the process.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "dist/worker/probe.js"]
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/api/main.js"]
