#!/bin/sh
# Replaces the processes that compose runs, one after the other, by those of the newest image (docs/deployment.md, "A deploy, in order"):
#   docker compose build && docker compose run --rm indexes && sh deploy/roll.sh
# Services may be named, in their order. Without names workers come first; who goes back to an older release names them last.
set -eu
[ $# -gt 0 ] || set -- worker api-1 api-2

# Workers take tasks beside each other: new ones are ready before old ones are told to end.
roll_workers() {
  old=$(docker compose ps --quiet worker)
  count=$(echo "$old" | wc -w)
  docker compose up --detach --wait --no-deps --no-recreate --scale "worker=$((count * 2))" worker
  for container in $old; do
    docker stop --time 40 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
}

# Of the APIs one answers while the other is replaced.
roll_api() {
  docker compose up --detach --wait --no-deps --force-recreate "$1"
  # The proxy asks twice a second whether it is ready.
  sleep 2
}

for service in "$@"; do
  case $service in
  worker) roll_workers ;;
  *) roll_api "$service" ;;
  esac
done
