# One image for the API and the worker: `docker build -t parlance .`, then `dist/api/main.js` (the default) or `dist/worker/main.js` as its
# command. It holds compiled code, the workflow bundle and production packages, none of this repository's own (docs/decisions/packages.md). It runs as nobody in particular, writes nothing to its disk, and no
# script of a package has run in it: none is needed (docs/dependencies.md).

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
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
# The image's user `node`, by number, so that a host can see that it is not root.
USER 1000
EXPOSE 3000
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/api/main.js"]
