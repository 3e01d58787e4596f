/** `roomful prune` and `roomful migrate`. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../server/data/storage/migrations/migrations.ts';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { runCommand } from '../support/command.ts';
import { LineClient } from '../support/line-client.ts';
import { sendFiles } from '../support/sent-files.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';

/** This file runs as dist/tests/cli/prune.test.js. */
const FIRST_VERSION = new URL('../../../tests/deploy/first-version.sql', import.meta.url);
const DAY_MS = 86_400_000;

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  ann = await signUp(server);
}, 60_000);
afterAll(async () => await server?.dispose());

const run = (...args: string[]) => runCommand(server, args);

/** As if everything in the room had been said so long ago. */
async function age(roomId: number, days: number): Promise<void> {
  await server.stop();
  const sqlite = openDatabase(join(server.dataDir, 'data/roomful.db'), { timeoutMs: 5000 });
  sqlite
    .prepare('UPDATE messages SET created_at = created_at - ? WHERE room_id = ?')
    .run(days * DAY_MS, roomId);
  sqlite.close();
  await server.restart();
}

async function say(roomId: number, contents: readonly string[]): Promise<void> {
  const line = await LineClient.start(server, ann);
  for (const content of contents) await line.post(roomId, content);
  await line.close();
}

const texts = async (roomId: number) =>
  (await readHistory(server, ann, roomId)).map(({ content }) => content).filter((content) => content !== '');

describe.skipIf(whyNotEmbedded() !== undefined)('roomful prune', () => {
  it('deletes what is older than so many days, for open clients too, and nothing else', async () => {
    const [old, other] = [await createRoom(server, ann), await createRoom(server, ann)];
    const contents = Array.from({ length: 450 }, (_, index) => `old ${index}`);
    await say(old.id, contents);
    await say(other.id, ['stays']);
    await age(old.id, 400);
    await say(old.id, ['new']);
    const dry = await run('prune', '--messages-older-than', '365d', '--dry-run');
    expect(dry).toEqual({ code: 0, stdout: '450 messages would be deleted.\n', stderr: '' });
    expect(await texts(old.id)).toHaveLength(451);

    const pruned = await run('prune', '--messages-older-than', '365d', '--yes', '--json');
    expect(pruned).toEqual({ code: 0, stdout: '{"messages":450}\n', stderr: '' });
    expect(await texts(old.id)).toEqual(['new']);
    expect(await texts(other.id)).toEqual(['stays']);
    expect((await run('prune', '--messages-older-than', '365d', '--yes')).stdout).toBe(
      '0 messages were deleted.\n',
    );

    const { entries } = JSON.parse((await run('audit', '--json')).stdout);
    expect(entries.filter(({ action }: { action: string }) => action === 'messages_pruned')).toMatchObject([
      { actor: null, room: null, details: { messages: 450, rooms: 1 } },
    ]);
    expect((await run('verify')).code).toBe(0);
  });

  it('keeps to the room that is named, also without a server', async () => {
    const [one, other] = [await createRoom(server, ann), await createRoom(server, ann)];
    for (const { id } of [one, other]) {
      await say(id, ['old']);
      await age(id, 10);
    }
    await server.stop();
    const named = await run('prune', '--messages-older-than', '9d', '--room', `#${one.name}`, '--yes');
    expect([named.code, named.stdout]).toEqual([0, '1 messages were deleted.\n']);
    await server.restart();
    expect(await texts(one.id)).toEqual([]);
    expect(await texts(other.id)).toEqual(['old']);
    const unknown = await run('prune', '--messages-older-than', '9d', '--room', '#nowhere', '--yes');
    expect([unknown.code, unknown.stderr]).toEqual([1, 'There is no room "#nowhere".\n']);
  });

  it('deletes old rows of the audit log, which says so', async () => {
    await run('user', 'disable', ann.username);
    await run('user', 'enable', ann.username);
    await server.stop();
    const sqlite = openDatabase(join(server.dataDir, 'data/roomful.db'), { timeoutMs: 5000 });
    sqlite.exec(`UPDATE audit_log SET at = at - ${500 * DAY_MS}`);
    sqlite.close();
    await server.restart();
    const { stdout } = await run('prune', '--audit-older-than', '400d', '--yes');
    expect(stdout).toMatch(/^[1-9]\d* rows of the audit log were deleted\.\n$/);
    const { entries } = JSON.parse((await run('audit', '--json')).stdout);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['audit_pruned']);
  });

  it('--files-older-than deletes files, and what is left of their messages stays', async () => {
    const bo = await signUp(server);
    const [old, other] = [await createRoom(server, bo), await createRoom(server, bo)];
    const bytes = Buffer.from('a');
    const files = Array.from({ length: 4 }, (_, index) => ({ name: `${index}`, bytes }));
    await sendFiles(server, bo, old.id, files, 'look');
    await sendFiles(server, bo, other.id, files.slice(0, 1), 'stays');
    await server.stop();
    const sqlite = openDatabase(join(server.dataDir, 'data/roomful.db'), { timeoutMs: 5000 });
    sqlite.prepare('UPDATE files SET created_at = created_at - ? WHERE room_id = ?').run(40 * DAY_MS, old.id);
    sqlite.close();
    await server.restart();
    const pruned = await run('prune', '--files-older-than', '30d', '--yes', '--json');
    expect(pruned).toEqual({ code: 0, stdout: '{"files":4}\n', stderr: '' });
    const filesOf = async (roomId: number) =>
      (await readHistory(server, bo, roomId)).map((message) => [message.content, message.files?.length]);
    expect(await filesOf(old.id)).toEqual([['look', undefined]]);
    expect(await filesOf(other.id)).toEqual([['stays', 1]]);
    expect((await run('prune', '--files-older-than', '30d', '--dry-run')).code).toBe(2);
  });

  it('asks for --yes, and says which argument is wrong', async () => {
    for (const [args, sentence] of [
      [['--messages-older-than', '365d'], /--yes/],
      [['--yes'], /--messages-older-than, --files-older-than or --audit-older-than/],
      [['--messages-older-than', '1y', '--yes'], /a number of days, such as 365d/],
      [['--audit-older-than', '1d', '--room', 'x', '--yes'], /--room goes with/],
    ] as const) {
      const { code, stderr } = await run('prune', ...args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    }
  });
});

describe.skipIf(whyNotEmbedded() !== undefined)('roomful migrate', () => {
  it('says that nothing is to be done, while the server runs; names a schema that is too new', async () => {
    expect((await run('migrate', '--check')).stdout).toMatch(
      /^The database has schema \d+: nothing is to be done\.\n$/,
    );
    await server.stop();
    const file = join(server.dataDir, 'data/roomful.db');
    copyFileSync(file, `${file}.kept`);
    const sqlite = openDatabase(file, { timeoutMs: 5000 });
    sqlite.exec("UPDATE meta SET value = '99' WHERE key = 'schema_version'");
    sqlite.close();
    const newer = await run('migrate');
    expect([newer.code, newer.stderr]).toEqual([1, expect.stringContaining('a newer Roomful (schema 99')]);
    copyFileSync(`${file}.kept`, file);
    await server.restart();
  });

  it('brings a database of the first version to this schema; --check only says that it is due', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'roomful-migrate-'));
    try {
      const sqlite = openDatabase(join(dataDir, 'roomful.db'), { timeoutMs: 5000 });
      sqlite.exec(readFileSync(FIRST_VERSION, 'utf8'));
      sqlite.close();
      const env = { DATA_DIR: dataDir };
      const due = await runCommand(server, ['migrate', '--check', '--json'], { env });
      expect([due.code, JSON.parse(due.stdout)]).toEqual([1, { from: 1, to: SCHEMA_VERSION, state: 'due' }]);
      const done = await runCommand(server, ['migrate'], { env });
      expect(done).toMatchObject({
        code: 0,
        stdout: `The database is migrated from schema 1 to ${SCHEMA_VERSION}.\n`,
      });
      expect((await runCommand(server, ['verify'], { env })).code).toBe(0);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });
});
