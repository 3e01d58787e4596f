/** `roomful export` and `import` with the bytes of files. */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JPEG } from '../../protocol/media/testing/samples.ts';
import { contentOf } from '../postgres/exporting.ts';
import { runCommand } from '../support/command.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { checkedUpload, newUpload, patchUpload } from '../support/uploads.ts';
import { createRoom, type Login, logIn, readHistory, signUp } from '../support/users.ts';

const noPostgres = whyNoPostgres();

let server: ServerProcess;
let folder: string;
let ann: Login;
let roomId: number;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterAll(async () => await server?.dispose());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roomful-export-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: string[], place: Place = server) => runCommand(place, args, { env: place.env ?? {} });
type Place = Parameters<typeof runCommand>[0] & { env?: Record<string, string> };

const pathIn = (root: string, key: string) => join(root, key.slice(0, 2), key.slice(2, 4), key);
const filesOf = ({ dataDir }: Place) => join(dataDir, 'data', 'files');
/** A new machine. */
const elsewhere = (): Place => ({ dataDir: mkdtempSync(join(folder, 'place-')) });

async function upload(bytes: Uint8Array): Promise<string> {
  const key = await newUpload(server, ann, roomId, { size: bytes.length, name: 'a.bin', alt: 'a thing' });
  expect((await patchUpload(server, ann, key, 0, bytes)).status).toBe(204);
  expect((await checkedUpload(server, ann, key)).state).toBe('ready');
  return key;
}

/** A message with files of these bytes; returns their keys. */
async function attach(...all: Uint8Array[]): Promise<string[]> {
  const files: string[] = [];
  for (const bytes of all) files.push(await upload(bytes));
  const line = await RoomLine.enter(server, ann, roomId);
  line.send({ type: 'message', room_id: roomId, content: '', cid: String(files[0]), files });
  await line.waitFor('ack');
  await line.close();
  return files;
}

async function exported(...args: string[]): Promise<string> {
  const to = join(folder, `export-${randomBytes(4).toString('hex')}`);
  const { code, stderr } = await run(['export', '--to', to, '--no-passwords', ...args]);
  expect([code, stderr]).toEqual([0, '']);
  return to;
}

/** The export again, after an import there. */
async function through(place: Place, from: string): Promise<string> {
  const imported = await run(['import', '--from', from], place);
  expect([imported.code, imported.stderr]).toEqual([0, '']);
  const verified = await run(['verify', '--files'], place);
  expect([verified.code, verified.stderr]).toEqual([0, '']);
  const to = join(folder, `again-${randomBytes(4).toString('hex')}`);
  expect((await run(['export', '--to', to, '--no-passwords'], place)).code).toBe(0);
  return to;
}

describe('the export of a service', () => {
  it('has the bytes of the files of messages, and an import brings them back', async () => {
    const bytes = randomBytes(100_000);
    const [key = '', photo = ''] = await attach(bytes, JPEG);
    const unsent = await upload(randomBytes(10));
    const to = await exported();
    expect(readFileSync(pathIn(join(to, 'files'), key)).equals(bytes)).toBe(true);
    expect(statSync(pathIn(join(to, 'files'), key)).ino).not.toBe(statSync(pathIn(filesOf(server), key)).ino);
    expect(statSync(pathIn(join(to, 'files'), key)).mode & 0o077).toBe(0);
    expect(existsSync(pathIn(join(to, 'files'), unsent))).toBe(false);
    const place = elsewhere();
    expect(contentOf(await through(place, to))).toEqual(contentOf(to));
    for (const one of [key, photo])
      expect(
        readFileSync(pathIn(filesOf(place), one)).equals(readFileSync(pathIn(filesOf(server), one))),
      ).toBe(true);
  });

  it.skipIf(noPostgres !== undefined)('goes to PostgreSQL and back with the same bytes', async () => {
    await attach(randomBytes(1000));
    const to = await exported();
    await using postgres = await PostgresServer.start();
    const databaseUrl = await postgres.createDatabase();
    const second = await through({ ...elsewhere(), databaseUrl }, to);
    expect(contentOf(second)).toEqual(contentOf(to));
    expect(contentOf(await through(elsewhere(), second))).toEqual(contentOf(to));
  });

  it('an import is refused when bytes are missing or changed; with all of them it works', async () => {
    const [key = ''] = await attach(randomBytes(1000));
    const to = await exported();
    const bad = join(folder, 'bad');
    cpSync(to, bad, { recursive: true });
    const place = elsewhere();
    writeFileSync(pathIn(join(bad, 'files'), key), randomBytes(1000));
    const changed = await run(['import', '--from', bad], place);
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringMatching(/^files\.jsonl, line \d+: its bytes are not those of "sha256"\.\n$/),
    ]);
    rmSync(pathIn(join(bad, 'files'), key));
    const missing = await run(['import', '--from', bad], place);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/^files\.jsonl, line \d+: the export does not have its bytes\.\n$/),
    ]);
    expect(existsSync(join(place.dataDir, 'data', 'roomful.db'))).toBe(false);
    expect(contentOf(await through(place, to))).toEqual(contentOf(to));
  });

  it('without files it has their rows alone, and says so; files that are there are used', async () => {
    await attach(randomBytes(1000));
    const to = join(folder, 'without');
    const { stdout } = await run(['export', '--to', to, '--no-passwords', '--without-files']);
    expect(stdout).toContain('Uploaded files are not in it.');
    expect([existsSync(join(to, 'files')), existsSync(join(to, 'files.jsonl'))]).toEqual([false, true]);
    const place = elsewhere();
    cpSync(filesOf(server), filesOf(place), { recursive: true });
    expect((await run(['import', '--from', to], place)).stdout).toContain('Uploaded files are not in it.');
    expect((await run(['verify', '--files'], place)).code).toBe(0);
  });

  it('a server shows the files of an import', async () => {
    await attach(randomBytes(1000));
    const before = await readHistory(server, ann, roomId);
    const to = join(folder, 'with passwords');
    expect((await run(['export', '--to', to])).code).toBe(0);
    const place = elsewhere();
    expect((await run(['import', '--from', to], place)).code).toBe(0);
    await using other = await ServerProcess.start({ dataDir: place.dataDir });
    expect(await readHistory(other, await logIn(other, ann.username), roomId)).toEqual(before);
  });
});
