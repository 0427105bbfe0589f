#!/bin/sh
# Makes Temporal's two databases in PostgreSQL, or brings them to the schema of this version. Safe to repeat.
set -eu
prepare() {
  sql() { temporal-sql-tool --plugin postgres12 --ep postgres -p 5432 -u temporal --db "$database" "$@"; }
  database=$1
  sql create
  sql setup-schema -v 0.0
  sql update-schema -d "/etc/temporal/schema/postgresql/v12/$2/versioned"
}
prepare temporal temporal
prepare temporal_visibility visibility
