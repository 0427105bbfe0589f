#!/bin/sh
# Replaces the processes that compose runs, one after the other, by those of the newest image (docs/deployment.md, "A deploy, in order"):
#   docker compose build && docker compose run --rm indexes && sh deploy/roll.sh
# COMPOSE is how compose is called, `docker compose` unless it says otherwise.
set -eu
compose=${COMPOSE:-docker compose}

# Workers take tasks beside each other: new ones are ready before old ones are told to end.
old=$($compose ps --quiet worker)
count=$(echo "$old" | wc -w)
$compose up --detach --wait --no-deps --no-recreate --scale "worker=$((count * 2))" worker
for container in $old; do
  docker stop --time 40 "$container" >/dev/null
  docker rm "$container" >/dev/null
done

# Of the APIs one answers while the other is replaced.
for service in api-1 api-2; do
  $compose up --detach --wait --no-deps --force-recreate "$service"
  # The proxy asks twice a second whether it is ready.
  sleep 2
done
