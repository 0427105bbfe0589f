#!/bin/sh
# `npm run test:compose`: with the images that docker-compose.yml names, or, with STAND_INS=yes, with ones made here.
set -eu
node deploy/local/prepare.mjs
if [ "${STAND_INS:-}" = yes ]; then
  # The older builder takes images that are here without asking for newer ones.
  export DOCKER_BUILDKIT=0
  bash test/compose/stand-ins.sh
fi
exec npx vitest run --config test/compose/vitest.config.ts --reporter=verbose
