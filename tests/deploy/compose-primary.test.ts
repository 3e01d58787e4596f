/** deploy/compose/primary.sh, with a real PostgreSQL in the place of the standby. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';

const SCRIPT = fileURLToPath(new URL('../../../deploy/compose/primary.sh', import.meta.url));

describe.skipIf(whyNoPostgres() !== undefined)('the first database of the compose file', () => {
  let other: PostgresServer;
  let folder: string;
  beforeAll(async () => {
    other = await PostgresServer.startOwn();
    folder = mkdtempSync(join(tmpdir(), 'roomful-compose-'));
    // The entry of the image.
    writeFileSync(join(folder, 'docker-entrypoint.sh'), '#!/bin/sh\necho "starts $*"\n', { mode: 0o755 });
  });
  afterAll(async () => {
    await other?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (port: string) =>
    spawnSync('bash', [SCRIPT, '-c', 'max_connections=200'], {
      encoding: 'utf8',
      env: {
        ...{ PATH: `${folder}:${process.env.PATH}`, OTHER: '127.0.0.1', PGPORT: port, PAUSE: '0' },
        ...{ POSTGRES_USER: 'roomful', POSTGRES_PASSWORD: 'x', POSTGRES_DB: 'postgres' },
      },
    });

  it('does not start while the standby is the primary', () => {
    const { status, stdout, stderr } = start(new URL(other.url).port);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('The standby has taken over');
  });

  it('starts while the standby is one, or does not answer', async () => {
    await using standby = await other.startStandby('standby');
    for (const port of [new URL(standby.url).port, String(await freePort())])
      expect(start(port)).toMatchObject({ status: 0, stdout: 'starts postgres -c max_connections=200\n' });
  });
});
