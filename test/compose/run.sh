#!/bin/sh
# `npm run test:compose`: uses the images of docker-compose.yml or, with STAND_INS=yes, images built here.
set -eu
node deploy/local/prepare.mjs
if [ "${STAND_INS:-}" = yes ]; then
  # The older builder uses local images without checking for newer ones.
  export DOCKER_BUILDKIT=0
  bash test/compose/stand-ins.sh
fi
exec npx vitest run --config test/compose/vitest.config.ts --reporter=verbose
