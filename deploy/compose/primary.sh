#!/usr/bin/env bash
# Starts the first database, unless the standby has been promoted: then this one was left behind. A restart must not
# bring it back, because it would take writes that nobody else sees.
set -eu
export PGPASSWORD=$POSTGRES_PASSWORD PGCONNECT_TIMEOUT=3
is_standby=$(psql --no-psqlrc --tuples-only --no-align --host "${OTHER:-standby}" --username "$POSTGRES_USER" \
  --dbname "$POSTGRES_DB" --command 'SELECT pg_is_in_recovery()' 2>/dev/null || true)
if [ "$is_standby" = f ]; then
  echo 'The standby has taken over, and this database is left behind. Make a standby of it: docs/OPERATIONS.md.' >&2
  # Not at once: this container is restarted for ever.
  sleep "${PAUSE:-30}"
  exit 1
fi
exec docker-entrypoint.sh postgres "$@"
