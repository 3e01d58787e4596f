/** `roomful backup`, `restore` and `verify` with the bytes of files, on both databases. */
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UPLOAD_TTL_S } from '../../protocol/limits.ts';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { runCommand } from '../support/command.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { checkedUpload, newUpload, patchUpload } from '../support/uploads.ts';
import { createRoom, type Login, logIn, readHistory, signUp } from '../support/users.ts';

/** A disk of its own on most machines: links from another one are copies. */
const OTHER_DISK = '/dev/shm';
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

if (!hasOtherDisk) console.log(`skipped: copies from another disk, as ${OTHER_DISK} is none of its own here`);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['SQLite', whyNotEmbedded()],
  ['PostgreSQL', whyNoPostgres()],
])('files in a backup of %s', (kind, reason) => {
  let postgres: PostgresServer | undefined;
  let folder: string;
  let env: Record<string, string>;
  let server: ServerProcess;
  let ann: Login;
  let roomId: number;

  beforeAll(async () => {
    if (kind === 'PostgreSQL' && reason === undefined) postgres = await PostgresServer.start();
  });
  afterAll(async () => await postgres?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    if (reason !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), 'roomful-backup-'));
    env = { FILES_DIR: join(folder, 'files') };
    if (postgres)
      env = {
        ...env,
        DATABASE_URL: await postgres.createDatabase(),
        JWT_SECRET: 'long enough for a server here',
      };
    server = await ServerProcess.start({ env });
    ann = await signUp(server);
    roomId = (await createRoom(server, ann)).id;
  });
  afterEach(async () => {
    await server?.dispose();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const to = () => join(folder, 'backup');
  const run = (args: string[], more: Record<string, string> = {}) =>
    runCommand(server, args, { env: { ...env, ...more } });
  const pathIn = (root: string, key: string) => join(root, key.slice(0, 2), key.slice(2, 4), key);
  const fileOf = (key: string) => pathIn(env.FILES_DIR ?? '', key);

  async function upload(bytes: Uint8Array): Promise<string> {
    const key = await newUpload(server, ann, roomId, { size: bytes.length, name: 'a.bin' });
    if (bytes.length > 0) expect((await patchUpload(server, ann, key, 0, bytes)).status).toBe(204);
    expect((await checkedUpload(server, ann, key)).state).toBe('ready');
    return key;
  }

  /** A message with files of these bytes; returns their keys. */
  async function attach(...all: Uint8Array[]): Promise<string[]> {
    const files: string[] = [];
    for (const bytes of all) files.push(await upload(bytes));
    const line = await RoomLine.enter(server, ann, roomId);
    line.send({ type: 'message', room_id: roomId, content: 'look', cid: String(files[0]), files });
    await line.waitFor('ack');
    await line.close();
    return files;
  }

  /** Restores into an empty database and an empty folder, as on a new machine, and starts the server there. */
  async function restoreElsewhere(from = to()): Promise<void> {
    await server.stop();
    env = { ...env, FILES_DIR: join(folder, 'new files') };
    if (postgres) env.DATABASE_URL = await postgres.createDatabase();
    else rmSync(join(server.dataDir, 'data'), { recursive: true });
    const restored = await run(['restore', '--from', from]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    await server.restart(env);
    ann = await logIn(server, ann.username);
  }

  it.skipIf(reason !== undefined)(
    'are restored with their bytes, and an upload that was under way has ended',
    async () => {
      const bytes = [randomBytes(100_000), randomBytes(7), new Uint8Array()];
      const keys = await attach(...bytes);
      const begun = await newUpload(server, ann, roomId, { size: 10 });
      await patchUpload(server, ann, begun, 0, randomBytes(5));
      const before = await readHistory(server, ann, roomId);
      const made = await run(['backup', '--to', to(), '--json']);
      expect([made.code, made.stderr]).toEqual([0, '']);
      expect(JSON.parse(made.stdout).files).toMatchObject({ count: 3, bytes: 100_007, deleted: [] });
      const list = readFileSync(join(to(), 'files.sha256'), 'utf8').split('\n');
      for (const [index, key] of keys.entries())
        expect(list).toContain(`${sha256(bytes[index] ?? Buffer.of())}  ${pathIn('', key)}`);
      for (const path of [
        join(to(), 'files'),
        join(to(), 'files.sha256'),
        pathIn(join(to(), 'files'), keys[0] ?? ''),
      ])
        expect(statSync(path).mode & 0o077, path).toBe(0);

      await restoreElsewhere();
      expect(await readHistory(server, ann, roomId)).toEqual(before);
      for (const [index, key] of keys.entries())
        expect(readFileSync(fileOf(key)).equals(bytes[index] ?? Buffer.of())).toBe(true);
      expect(existsSync(fileOf(begun))).toBe(false);
      const verified = await run(['verify', '--files']);
      expect([verified.code, verified.stderr]).toEqual([0, '']);
    },
  );

  it.skipIf(reason !== undefined)(
    'are links on the same disk, and stay when the server deletes its own',
    async () => {
      const [key = ''] = await attach(randomBytes(1000));
      expect((await run(['backup', '--to', to()])).stdout).toContain(
        ' 1 files, 0.0 MiB, 1 of them as links.',
      );
      const path = pathIn(join(to(), 'files'), key);
      expect(statSync(path).ino).toBe(statSync(fileOf(key)).ino);
      rmSync(fileOf(key));
      expect(statSync(path).size).toBe(1000);
    },
  );

  it.skipIf(reason !== undefined || !hasOtherDisk)(
    'are copied from another disk, once for all backups of a folder',
    async () => {
      env.FILES_DIR = mkdtempSync(join(OTHER_DISK, 'roomful-files-'));
      try {
        await server.stop();
        await server.restart(env);
        const bytes = randomBytes(1000);
        const [key = ''] = await attach(bytes);
        const into = join(folder, 'backups');
        const inodes: number[] = [];
        for (let count = 0; count < 2; count++) {
          const { code, stdout } = await run(['backup', '--into', into, '--json']);
          expect(code).toBe(0);
          const made = JSON.parse(stdout);
          expect([made.files.count, made.files.linked]).toEqual([1, count]);
          const path = pathIn(join(made.folder, 'files'), key);
          expect(readFileSync(path).equals(bytes)).toBe(true);
          inodes.push(statSync(path).ino);
        }
        expect(inodes[0]).toBe(inodes[1]);
      } finally {
        rmSync(env.FILES_DIR, { recursive: true, force: true });
      }
    },
  );

  it.skipIf(reason !== undefined)(
    'may be left out: then a restore says so, and uses those that are there',
    async () => {
      const [key = ''] = await attach(randomBytes(1000));
      const made = await run(['backup', '--to', to(), '--without-files']);
      expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('Uploaded files are not in it.')]);
      expect(existsSync(join(to(), 'files'))).toBe(false);
      await server.stop();
      if (postgres) env.DATABASE_URL = await postgres.createDatabase();
      const restored = await run(['restore', '--from', to(), ...(postgres ? [] : ['--force'])]);
      expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('has no uploaded files')]);
      expect((await run(['verify', '--files'])).code).toBe(0);
      rmSync(fileOf(key));
      const verified = await run(['verify', '--files']);
      expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining(key)]);
    },
  );

  it.skipIf(reason !== undefined)(
    'that are lost or changed are found by verify --files, and so are bytes of no file',
    async () => {
      const [lost = '', changed = '', longer = ''] = await attach(
        randomBytes(10),
        randomBytes(10),
        randomBytes(10),
      );
      const [young, old] = [randomBytes(16), randomBytes(16)].map((bytes) => bytes.toString('base64url'));
      const sound = await run(['verify', '--files', '--json']);
      expect([sound.code, JSON.parse(sound.stdout).findings]).toEqual([0, []]);
      rmSync(fileOf(lost));
      writeFileSync(fileOf(changed), randomBytes(10));
      appendFileSync(fileOf(longer), 'x');
      for (const key of [young ?? '', old ?? '']) {
        await upload(randomBytes(10)).then((key2) => writeFileSync(fileOf(key2).replace(key2, key), 'stray'));
      }
      const strays = readdirSync(env.FILES_DIR ?? '', { recursive: true, encoding: 'utf8' });
      const oldPath = strays.find((name) => name.endsWith(old ?? '-')) ?? '';
      utimesSync(join(env.FILES_DIR ?? '', oldPath), 1000, 1000);
      const found = await run(['verify', '--files', '--json']);
      const findings: { rule: string; examples: { key: string }[] }[] = JSON.parse(found.stdout).findings;
      expect(found.code).toBe(1);
      expect(
        Object.fromEntries(findings.map(({ rule, examples }) => [rule, examples.map(({ key }) => key)])),
      ).toEqual({
        'each file has its bytes': [lost],
        'each file has as many bytes as its row says': [longer],
        'each file has the bytes that were checked': [changed],
        'no bytes older than two days are of no file': [old],
      });
      // Without --files, only the database is looked at.
      expect((await run(['verify'])).code).toBe(0);
      // Such a backup is kept, and says so.
      const made = await run(['backup', '--to', to(), '--json']);
      expect([made.code, JSON.parse(made.stdout).damage.length]).toEqual([1, 2]);
    },
  );

  it.skipIf(reason !== undefined)(
    'that the backup has lost are missed, and nothing is restored',
    async () => {
      const [key = '', other = ''] = await attach(randomBytes(1000), randomBytes(10));
      expect((await run(['backup', '--to', to()])).code).toBe(0);
      await server.stop();
      rmSync(pathIn(join(to(), 'files'), key));
      if (postgres) env.DATABASE_URL = await postgres.createDatabase();
      const refused = await run(['restore', '--from', to(), ...(postgres ? [] : ['--force'])]);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(`its file ${key} is missing`),
      ]);
      writeFileSync(join(to(), 'files.sha256'), '');
      const empty = await run(['restore', '--from', to(), ...(postgres ? [] : ['--force'])]);
      expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('files.sha256 is not the one')]);
      expect(statSync(fileOf(other)).size).toBe(10);
      if (!postgres) await server.restart(env);
    },
  );
});

describe.skipIf(whyNotEmbedded() !== undefined)('a restore with --force', () => {
  it('keeps the files of the database that was there, as links beside it', async () => {
    await using server = await ServerProcess.start();
    const folder = mkdtempSync(join(tmpdir(), 'roomful-backup-'));
    try {
      const ann = await signUp(server);
      const { id } = await createRoom(server, ann);
      expect((await runCommand(server, ['backup', '--to', join(folder, 'backup')])).code).toBe(0);
      const key = await newUpload(server, ann, id, { size: 3 });
      await patchUpload(server, ann, key, 0, Buffer.from('new'));
      await checkedUpload(server, ann, key);
      await server.stop();
      const args = ['restore', '--from', join(folder, 'backup'), '--force', '--json'];
      const { code, stdout } = await runCommand(server, args);
      expect(code).toBe(0);
      const path = join(JSON.parse(stdout).moved_to, 'files', key.slice(0, 2), key.slice(2, 4), key);
      expect(readFileSync(path, 'utf8')).toBe('new');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe.skipIf(whyNotEmbedded() !== undefined)('killed at any moment', () => {
  const FILES = 600;
  const KILLS = 3;

  /** Files in the folder and the database of a server that is stopped: uploads that are to be sent within a day. */
  function fill(dataDir: string, { ownerId, roomId }: { ownerId: number; roomId: number }): void {
    const sqlite = openDatabase(join(dataDir, 'roomful.db'), { timeoutMs: 5000 });
    const insert = sqlite.prepare(`
      INSERT INTO files (key, purpose, owner_id, room_id, name, type, size, received, sha256, state, place, created_at,
        expires_at)
      VALUES (?, 'message', ?, ?, 'a', 'x/y', 22, 22, ?, 'ready', 'disk', ?, ?)`);
    const now = Date.now();
    sqlite.exec('BEGIN');
    for (let count = 0; count < FILES; count++) {
      const key = randomBytes(16).toString('base64url');
      const path = join(dataDir, 'files', key.slice(0, 2), key.slice(2, 4));
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, key), key);
      insert.run(key, ownerId, roomId, sha256(Buffer.from(key)), now, now + UPLOAD_TTL_S * 1000);
    }
    sqlite.exec(`INSERT INTO file_usage VALUES (0, ${FILES}, ${FILES * 22}), (${ownerId}, ${FILES}, ${FILES * 22});
      COMMIT`);
    sqlite.close();
  }

  it('a backup and a restore leave what was there, and the next one is whole', {
    timeout: 300_000,
  }, async () => {
    await using server = await ServerProcess.start();
    const owner = await signUp(server);
    const { id: roomId } = await createRoom(server, owner);
    await server.stop();
    const dataDir = join(server.dataDir, 'data');
    fill(dataDir, { ownerId: owner.userId, roomId });
    const to = join(server.dataDir, 'backup');
    const whole = await timed(() => runCommand(server, ['backup', '--to', to]));
    expect(whole.result.code).toBe(0);
    const killed = async (args: string[], afterMs: number) =>
      await runCommand(server, args, { killOn: sleep(Math.round(afterMs)) });
    for (let part = 1; part <= KILLS; part++) {
      const path = join(server.dataDir, `backup ${part}`);
      await killed(['backup', '--to', path], (whole.ms * part) / (KILLS + 1));
      expect(existsSync(join(path, 'manifest.json'))).toBe(existsSync(path));
      const refused = await runCommand(server, ['restore', '--from', `${path}.partial`, '--force']);
      expect(refused.code).toBe(1);
      rmSync(`${path}.partial`, { recursive: true, force: true });
      rmSync(path, { recursive: true, force: true });
    }
    const restore = ['restore', '--from', to, '--force'];
    const length = await timed(() => runCommand(server, restore));
    expect(length.result.code).toBe(0);
    for (let part = 1; part <= KILLS; part++) {
      rmSync(join(dataDir, 'files'), { recursive: true });
      await killed(restore, (length.ms * part) / (KILLS + 1));
      const { code } = await runCommand(server, ['verify']);
      expect(code).toBe(0);
      const again = await runCommand(server, restore);
      expect([again.code, again.stderr]).toEqual([0, '']);
      const verified = await runCommand(server, ['verify', '--files']);
      expect([verified.code, verified.stdout]).toEqual([
        0,
        expect.stringContaining('The database is sound.'),
      ]);
    }
    await server.restart();
  });
});

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const from = performance.now();
  const result = await work();
  return { ms: performance.now() - from, result };
}
