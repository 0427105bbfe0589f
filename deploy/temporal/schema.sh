#!/bin/sh
# Creates Temporal's two databases in PostgreSQL, or migrates them to the schema of this version.
# Safe to repeat. Reads SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD; TEMPORAL_SCHEMA is the folder
# of the schemas.
set -eu
prepare() {
  sql() {
    temporal-sql-tool --plugin postgres12 --ep "${SQL_HOST:-postgres}" -p "${SQL_PORT:-5432}" -u "${SQL_USER:-temporal}" --db "$database" "$@"
  }
  database=$1
  sql create
  sql setup-schema -v 0.0
  sql update-schema -d "${TEMPORAL_SCHEMA:-/etc/temporal/schema}/postgresql/v12/$2/versioned"
}
prepare temporal temporal
prepare temporal_visibility visibility
