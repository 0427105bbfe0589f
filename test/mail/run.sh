#!/bin/sh
# `npm run test:mail`: installs the mail programs of Debian that are missing, as root, and runs the
# tests of mail against them.
set -eu
for program in postfix dovecot opendkim swaks mutt; do
  command -v "$program" >/dev/null || missing=yes
done
if [ "${missing:-}" = yes ]; then
  apt-get update >/dev/null
  # Postfix would otherwise ask for a configuration.
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    postfix dovecot-imapd opendkim swaks mutt >/dev/null
fi
node deploy/local/prepare.mjs
exec npx vitest run --config test/mail/vitest.config.ts "$@"
