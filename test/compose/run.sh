#!/bin/sh
# `npm run test:compose`: with the images that docker-compose.yml names, or, with STAND_INS=yes, with ones made here.
set -eu
node embedded/prepare.mjs
[ "${STAND_INS:-}" != yes ] || bash test/compose/stand-ins.sh
exec npx vitest run --config test/compose/vitest.config.ts
