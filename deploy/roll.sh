#!/bin/sh
# Rolling deploy under compose: replaces processes one by one with the newest image
# (docs/deployment.md, "A deploy, in order"):
# docker compose build && docker compose run --rm indexes && sh deploy/roll.sh
# Services may be named, in their order. By default workers come first; for a rollback to an older
# release name them last.
set -eu
[ $# -gt 0 ] || set -- worker api-1 api-2

# Workers share tasks, so start new workers before stopping old ones.
roll_workers() {
  old=$(docker compose ps --quiet worker)
  count=$(echo "$old" | wc -w)
  docker compose up --detach --wait --no-deps --no-recreate --scale "worker=$((count * 2))" worker
  for container in $old; do
    docker stop --time 40 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
}

# One API serves requests while the other is replaced.
roll_api() {
  docker compose up --detach --wait --no-deps --force-recreate "$1"
  # The proxy polls its readiness twice a second.
  sleep 2
}

for service in "$@"; do
  case $service in
  worker) roll_workers ;;
  *) roll_api "$service" ;;
  esac
done
