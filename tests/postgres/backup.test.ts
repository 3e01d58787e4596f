/** `roomful backup` and `restore` with PostgreSQL. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, logIn, readHistory, signUp } from '../support/users.ts';

let postgres: PostgresServer;
let folder: string;
let url: string;
let server: ServerProcess;
let ann: Login;
let roomId: number;

const to = () => join(folder, 'backup');
const run = (database: string, ...args: string[]) =>
  runCommand({ dataDir: folder, databaseUrl: database }, args);
const env = () => ({ DATABASE_URL: url, JWT_SECRET: 'a secret that is long enough for a server' });
const tablesIn = async (database: string) =>
  await postgres.run(
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
    database,
  );

async function say(count: number): Promise<void> {
  const line = await LineClient.start(server, ann);
  for (let index = 0; index < count; index++) await line.post(roomId, `text ${index}`);
  await line.close();
}

describe.skipIf(whyNoPostgres() !== undefined)('a backup of PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'roomful-backup-'));
    url = await postgres.createDatabase();
    server = await ServerProcess.start({ env: env() });
    ann = await signUp(server);
    roomId = (await createRoom(server, ann)).id;
  });
  afterEach(async () => {
    await server?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has everything that was acknowledged before it began, while the server goes on; nobody else may read it', async () => {
    await say(20);
    const [backup] = await Promise.all([run(url, 'backup', '--to', to(), '--json'), say(10)]);
    expect([backup.code, backup.stderr]).toEqual([0, '']);
    const manifest = JSON.parse(backup.stdout);
    expect(manifest.counts.messages).toBeGreaterThanOrEqual(20);
    expect(readdirSync(to()).sort()).toEqual(['manifest.json', 'roomful.dump']);
    for (const name of ['', 'manifest.json', 'roomful.dump'])
      expect(statSync(join(to(), name)).mode & 0o077, name).toBe(0);
    expect(JSON.parse(readFileSync(join(to(), 'manifest.json'), 'utf8'))).toEqual(manifest);
    await eventually('the time of the backup in the metrics', async () => {
      const { text } = await send(server, '/metrics');
      const seconds = Number(/\nroomful_last_backup_timestamp_seconds (\S+)/.exec(text)?.[1]);
      return seconds * 1000 === Date.parse(manifest.made_at) ? true : undefined;
    });
    const again = await run(url, 'backup', '--to', to());
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is there already')]);
    renameSync(to(), `${to()}.partial`);
    const refused = await run(await postgres.createDatabase(), 'restore', '--from', `${to()}.partial`);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was never finished')]);
    renameSync(`${to()}.partial`, to());
    expect(readdirSync(folder)).toEqual(['backup']);
  });

  it('the doctor of an empty database misses no table, and of one that is damaged names what fails', async () => {
    const empty = await postgres.createDatabase();
    const problems = async () => {
      const { checks } = JSON.parse((await run(empty, 'doctor', '--json')).stdout) as {
        checks: { name: string; verdict: string; told: string }[];
      };
      return checks.filter(({ name, verdict }) => name === 'database' && verdict === 'problem');
    };
    expect(await problems()).toEqual([]);
    await postgres.run('CREATE VIEW search_state AS SELECT 1 / 0 AS from_id, 0 AS since', empty);
    expect(await problems()).toEqual([
      expect.objectContaining({ told: expect.stringContaining('division by zero') }),
    ]);
  });

  it('is restored: the same messages, a new epoch, everybody signs in again, and no id or link comes back', async () => {
    await say(5);
    const { json } = await post(server, `/api/v1/rooms/${roomId}/invites`, {}, { token: ann.accessToken });
    const before = await readHistory(server, ann, roomId);
    expect((await run(url, 'backup', '--to', to())).code).toBe(0);
    await say(3);
    await server.stop();
    url = await postgres.createDatabase();
    const restored = await run(url, 'restore', '--from', to());
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const examined = await run(url, 'doctor', '--json');
    expect(examined.stdout).toContain('The latest is 0.0 days old.');
    expect(restored.stdout).toMatch(/ is restored and sound\. Start the server\.\n$/);

    const { dataDir } = server;
    await using next = await ServerProcess.start({ env: env(), dataDir });
    expectRefusal(await send(next, '/api/v1/me', { token: ann.accessToken }), 401, 'invalid token');
    const refresh = { refresh_token: ann.refreshToken };
    expectRefusal(await post(next, '/api/v1/auth/refresh', refresh), 401, 'invalid refresh token');
    const again = await logIn(next, ann.username);
    expect(await readHistory(next, again, roomId)).toEqual(before);
    const { code } = json as { code: string };
    const found = await send(next, `/api/v1/invites/${code}`, { token: again.accessToken });
    expectRefusal(found, 404, 'invite not found');
    const line = await LineClient.start(next, again);
    expect((await line.post(roomId, 'after')).id).toBeGreaterThan(1_000_000_000);
    await line.close();
  });

  it('is refused by a database that is not empty, and one that is damaged leaves the database empty', async () => {
    expect((await run(url, 'backup', '--to', to())).code).toBe(0);
    const full = await run(url, 'restore', '--from', to());
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('is not empty.')]);

    const other = await postgres.createDatabase();
    const file = join(to(), 'roomful.dump');
    const dump = readFileSync(file);
    writeFileSync(file, dump.subarray(0, dump.length >> 1));
    const damaged = await run(other, 'restore', '--from', to());
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('The backup is damaged')]);
    // A manifest that fits: then pg_restore finds it out, and nothing of it is kept.
    const manifest = JSON.parse(readFileSync(join(to(), 'manifest.json'), 'utf8'));
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    writeFileSync(join(to(), 'manifest.json'), JSON.stringify({ ...manifest, sha256 }));
    const cut = await run(other, 'restore', '--from', to());
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringMatching(/^pg_restore could not do it/)]);
    expect(await tablesIn(other)).toEqual([]);
  });

  it('leaves nothing when PostgreSQL is away, or when its programs are not there', async () => {
    const away = await run('postgres://roomful@127.0.0.1:1/roomful', 'backup', '--to', to());
    expect([away.code, readdirSync(folder)]).toEqual([1, []]);
    const target = { dataDir: folder, databaseUrl: url };
    const missing = await runCommand(target, ['backup', '--to', to()], { env: { PATH: '/nonexistent' } });
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/^pg_dump is not installed\./)]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
