#!/usr/bin/env bash
# Copies the primary at the first start, then follows it. To let it take over: stop the primary for good, then promote
# it (docs/OPERATIONS.md, A failover):
#   docker compose stop postgres && docker compose exec -u postgres standby pg_ctl promote
set -eu
export PGPASSWORD=$POSTGRES_PASSWORD
install -d -m 700 -o postgres -g postgres "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  gosu postgres pg_basebackup --pgdata "$PGDATA" --wal-method stream --write-recovery-conf \
    --dbname 'host=postgres user=replicator application_name=standby'
fi
exec gosu postgres postgres -c max_connections=200
