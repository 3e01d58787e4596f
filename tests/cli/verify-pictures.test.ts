/** `roomful verify` of pictures of people, of emoji and of the server, on both databases. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PNG } from '../../protocol/media/testing/samples.ts';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { runCommand } from '../support/command.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { bearer } from '../support/sent-files.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { newUpload, patchUpload } from '../support/uploads.ts';
import { createRoom, type Login, signUpAdmin } from '../support/users.ts';

const NEW_KEY = `'${'n'.repeat(22)}'`;

describe.each([
  ['SQLite', whyNotEmbedded()],
  ['PostgreSQL', whyNoPostgres()],
])('verify of pictures on %s', (kind, reason) => {
  let postgres: PostgresServer | undefined;
  let env: Record<string, string> = {};
  let server: ServerProcess;

  beforeAll(async () => {
    if (kind === 'PostgreSQL' && reason === undefined) postgres = await PostgresServer.start();
  });
  afterAll(async () => await postgres?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    if (reason !== undefined) return;
    env = postgres
      ? { DATABASE_URL: await postgres.createDatabase(), JWT_SECRET: 'long enough for a server here' }
      : {};
    server = await ServerProcess.start({ env });
    const admin = await signUpAdmin(server);
    for (const path of ['me/avatar', 'admin/icon', 'emoji/our-ship']) await give(admin, path);
    // An upload that no message has yet.
    const { id } = await createRoom(server, admin);
    await patchUpload(
      server,
      admin,
      await newUpload(server, admin, id, { size: 9, name: 'a' }),
      0,
      PNG.subarray(0, 9),
    );
  });
  afterEach(async () => await server?.dispose());

  async function give(login: Login, path: string): Promise<void> {
    const [method, headers, body] = ['PUT', bearer(login), Uint8Array.from(PNG)];
    expect((await fetch(`${server.url}/api/v1/${path}`, { method, headers, body })).ok, path).toBe(true);
  }

  /** Changes the data behind the server's back. */
  async function tamper(statement: string): Promise<void> {
    if (postgres) return void (await postgres.run(statement, env.DATABASE_URL));
    const sqlite = openDatabase(join(server.dataDir, 'data', 'roomful.db'), { timeoutMs: 5000 });
    sqlite.exec(statement);
    sqlite.close();
  }

  /** The rules that are broken. */
  async function broken(): Promise<string[]> {
    const { code, stdout } = await runCommand(server, ['verify', '--json'], { env });
    const { findings } = JSON.parse(stdout) as { findings: { rule: string }[] };
    expect(code).toBe(findings.length === 0 ? 0 : 1);
    return findings.map(({ rule }) => rule);
  }

  it.skipIf(reason !== undefined).each([
    [
      'a person has a picture that is no file',
      `UPDATE users SET avatar_key = ${NEW_KEY}`,
      ['a person with a picture has its file', 'a picture of a person is the one that the person has'],
    ],
    [
      'nobody has a picture of a person',
      'UPDATE users SET avatar_key = NULL',
      ['a picture of a person is the one that the person has'],
    ],
    [
      'the server has a picture that is no file',
      `UPDATE meta SET value = ${NEW_KEY} WHERE key = 'server_icon'`,
      [
        'the picture of the server has its file',
        'a file that is a picture of the server is the one that it has',
      ],
    ],
    [
      'the server does not have its picture',
      "DELETE FROM meta WHERE key = 'server_icon'",
      ['a file that is a picture of the server is the one that it has'],
    ],
    [
      'an emoji has a picture that is no file',
      `UPDATE emoji SET file_key = ${NEW_KEY}`,
      ['an emoji has its picture', 'a picture of an emoji has its emoji'],
    ],
    ['no emoji has a picture of an emoji', 'DELETE FROM emoji', ['a picture of an emoji has its emoji']],
    [
      'a picture expires that a person has',
      "UPDATE files SET expires_at = created_at + 1000000000 WHERE purpose = 'avatar'",
      ['a person with a picture has its file'],
    ],
    [
      'an upload does not expire',
      "UPDATE files SET expires_at = NULL WHERE purpose = 'message'",
      ['a file that no message has expires'],
    ],
  ])('%s: finds it', async (_what, statement, rules) => {
    expect(await broken()).toEqual([]);
    await tamper(statement);
    expect((await broken()).sort()).toEqual([...rules].sort());
  });
});
