import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { ServerProcess, StartError } from '../support/server-process.ts';

const JWT_SECRET = randomBytes(32).toString('hex');

/** Starts a server that must not start; returns its exit code and what it says. */
async function refusal(databaseUrl: string, env: Record<string, string> = { JWT_SECRET }) {
  try {
    await using server = await ServerProcess.start({ env: { DATABASE_URL: databaseUrl, ...env } });
    throw new Error(`it started at ${server.url}`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { code: error.exit?.code, says: error.stderr.trim() };
  }
}

describe.skipIf(whyNoPostgres() !== undefined)('a database that cannot be used', { concurrent: true }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.startOwn({ password: 'the password' });
  });
  afterAll(async () => await server?.[Symbol.asyncDispose]());

  const where = (name: string) => `127.0.0.1:${new URL(server.url).port} (database ${name})`;
  const nameIn = (url: string) => url.split('/').at(-1) ?? '';

  it('an address that is none', async () => {
    expect(await refusal('postgres://db.example.org')).toEqual({
      code: 2,
      says: 'DATABASE_URL must be an address such as postgres://user:password@db.example.org:5432/roomful.',
    });
  });

  it('no JWT_SECRET', async () => {
    expect(await refusal(server.url, {})).toEqual({
      code: 2,
      says: expect.stringMatching(/^DATABASE_URL needs a JWT_SECRET, .*\(openssl rand -hex 32\)\.$/),
    });
  });

  it('a wrong password, which is not shown', async () => {
    const { code, says } = await refusal(server.url.replace('the%20password', 'another'));
    expect({ code, says }).toEqual({
      code: 2,
      says:
        `The database at ${where('postgres')} cannot be used: ` +
        'password authentication failed for user "roomful". Check DATABASE_URL.',
    });
    expect(says).not.toContain('another');
  });

  it('a database that is not there', async () => {
    expect(
      await refusal(server.url.replace('/postgres', '/chat').replace(/^chat/, 'postgres')),
    ).toMatchObject({
      code: 2,
      says: `The database at ${where('chat')} cannot be used: database "chat" does not exist. Check DATABASE_URL.`,
    });
  });

  it('a user who may create no tables', async () => {
    const url = await server.createDatabase();
    await server.run(`CREATE ROLE weak LOGIN PASSWORD 'weak'`);
    const weak = url.replace(/\/\/[^@]*@/, '//weak:weak@');
    expect(await refusal(weak)).toEqual({
      code: 2,
      says:
        `The database at ${where(nameIn(url))} cannot be used: permission denied for schema public. ` +
        'Check DATABASE_URL.',
    });
  });

  it('a server older than PostgreSQL 15', async () => {
    const url = await server.createDatabase();
    // A function of the same name, which comes first.
    await server.run(
      `CREATE SCHEMA old;
       CREATE FUNCTION old.current_setting(name text) RETURNS text LANGUAGE sql AS
         $$ SELECT CASE name WHEN 'server_version_num' THEN '140012' ELSE pg_catalog.current_setting(name) END $$;
       ALTER DATABASE ${nameIn(url)} SET search_path = old, pg_catalog, public`,
      url,
    );
    expect(await refusal(url)).toEqual({
      code: 2,
      says: `PostgreSQL at ${where(nameIn(url))} is version 14; Roomful needs 15 or newer.`,
    });
  });

  it('another encoding than UTF8', async () => {
    const url = await server.createDatabase(`TEMPLATE template0 ENCODING 'SQL_ASCII'`);
    expect(await refusal(url)).toEqual({
      code: 2,
      says: `The database at ${where(nameIn(url))} has the encoding SQL_ASCII. Create it anew with ENCODING 'UTF8'.`,
    });
  });

  it.each(['fsync', 'full_page_writes'])('%s=off, which loses messages in a crash', async (setting) => {
    await using unsafe = await PostgresServer.startOwn({ settings: { [setting]: 'off' } });
    expect(await refusal(unsafe.url)).toEqual({
      code: 2,
      says: expect.stringMatching(
        new RegExp(
          `^PostgreSQL at .* runs with ${setting}=off, which loses messages in a crash. Set ${setting}=on.$`,
        ),
      ),
    });
  });

  it('another Roomful process uses it', async () => {
    const DATABASE_URL = await server.createDatabase();
    await using first = await ServerProcess.start({ env: { DATABASE_URL, JWT_SECRET } });
    expect(await refusal(DATABASE_URL)).toEqual({
      code: 1,
      says: 'Another Roomful process uses this database. Stop it first, or give all servers the same REDIS_URL.',
    });
    // One that was killed holds nothing.
    await first.kill();
    await first.restart();
  });
});
