import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../server/data/storage/migrations/migrations.ts';
import { openForWriting } from '../../server/data/storage/sqlite/database.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import { ServerProcess, StartError } from '../support/server-process.ts';
import { createRoom, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { expectSound } from './storage-acks.ts';
import { attach, whyNoTracing } from './storage-trace.ts';

const reason = whyNoTracing();
if (reason !== undefined) console.info(`skipped: ${reason}`);

let home: string;
let dataDir: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'roomful-server-'));
  dataDir = join(home, 'data');
});
afterEach(async () => await rm(home, { recursive: true }));

/** Starts a server that must refuse to start, with exit code 1 and one sentence. */
async function expectNoStart(sentence: string): Promise<void> {
  const refusal = await ServerProcess.start({ dataDir: home }).catch((error: unknown) => error);
  if (!(refusal instanceof StartError)) throw new Error('it started', { cause: refusal });
  expect({ exit: refusal.exit, said: refusal.stderr }).toEqual({
    exit: { code: 1, signal: null },
    said: `${sentence}\n`,
  });
}

const inUse = () =>
  `Another Roomful is using the data folder ${dataDir}. Stop it first, or set DATA_DIR to another folder.`;

describe('one data folder has one owner', () => {
  test('a second process is refused, and the first goes on', async () => {
    await using first = await ServerProcess.start({ dataDir: home });
    await expectNoStart(inUse());
    await signUp(first);
  });

  test("a killed process's lock is free at once", async () => {
    await using server = await ServerProcess.start({ dataDir: home });
    const { username } = await signUp(server);
    for (let times = 0; times < 3; times++) {
      await server.kill();
      await server.restart();
    }
    await expect(signUp(server, username)).rejects.toThrow(/409/);
  });

  test('a second opening within the owning process does not give the folder away', async () => {
    const onFatal = (error: Error): void => {
      throw error;
    };
    const { store } = await openSqliteStore({ dataDir, onFatal });
    await expect(openSqliteStore({ dataDir, onFatal })).rejects.toThrow(inUse());
    await expectNoStart(inUse());
    await store.close();
  });
});

test('a database of a newer Roomful is refused, and nothing in it is changed', async () => {
  await mkdir(dataDir);
  const file = join(dataDir, 'roomful.db');
  const sqlite = openForWriting(file);
  sqlite.exec(`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
               INSERT INTO meta VALUES ('schema_version', '1000');`);
  sqlite.close();
  const before = await readFile(file);
  await expectNoStart(
    `The database was written by a newer Roomful (schema 1000; this one knows ${SCHEMA_VERSION}). ` +
      'Start that version or a later one.',
  );
  expect((await readFile(file)).equals(before)).toBe(true);
});

test.skipIf(reason !== undefined)(
  'a failing fsync ends the server; what was broadcast is kept, what it was about is not broadcast',
  async () => {
    await using server = await ServerProcess.start({ dataDir: home });
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const socket = await ChatClient.enter(server, ann, room.id);
    for (let count = 0; count < 20; count++) socket.say(`before ${count}`);
    const heard = await socket.waitForCount('message', 20);

    const file = join(dataDir, 'roomful.db-wal');
    await attach(server.pid, { file, call: 'fsync', error: 'EIO', when: '1+' });
    socket.say('lost in the disk');
    await socket.closed;
    expect(await server.stop()).toEqual({ code: 1, signal: null });
    expect(socket.of('message')).toEqual(heard);
    expect(socket.of('error')).toEqual([]);
    expect(server.logs.at(-1)).toMatchObject({ msg: 'the process must end' });

    await server.restart();
    const kept = await readHistory(server, ann, room.id);
    // Its fate was never announced, so it may be stored or not.
    expect(kept.filter(({ content }) => content !== 'lost in the disk')).toEqual(heard);
    await server.stop();
    expectSound(dataDir);
  },
);
