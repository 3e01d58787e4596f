#!/usr/bin/env bash
# Runs once in the new primary: the standby may copy it and follow it.
set -eu
psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
-- Nobody follows yet, and a commit must not wait for it.
SET synchronous_commit = local;
CREATE ROLE replicator WITH REPLICATION LOGIN PASSWORD :'password';
SQL
echo 'host replication replicator samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"
