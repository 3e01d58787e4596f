/** `roomful search`, and what the index does when it is lost or a room is gone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchResponse } from '../../protocol/rest/search.ts';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  ann = await signUp(server);
}, 60_000);
afterAll(async () => await server?.dispose());

const run = (...args: string[]) => runCommand(server, ['search', ...args]);
const status = async () => JSON.parse((await run('status', '--json')).stdout);

async function say(roomId: number, contents: readonly string[]): Promise<void> {
  const line = await LineClient.start(server, ann);
  for (const content of contents) await line.post(roomId, content);
  await line.close();
}

async function count(q: string): Promise<number> {
  const reply = await send(server, `/api/v1/search?q=${q}`, { token: ann.accessToken });
  // While a damaged file is deleted.
  if (reply.status === 503) return -1;
  return expectReply(reply, 200, searchResponse).results.length;
}

const found = (q: string, expected: number) =>
  eventually(`${expected} of ${q}`, async () => (await count(q)) === expected || undefined);

describe.skipIf(whyNotEmbedded() !== undefined)('roomful search', () => {
  it('status says how far the index has come, with a server and without one', async () => {
    const room = await createRoom(server, ann);
    await say(room.id, ['a zeppelin', 'another zeppelin', 'a balloon']);
    await found('zeppelin', 2);
    expect(await status()).toMatchObject({ is_complete: true, messages_left: 0, indexed_from: null });
    expect((await run('status')).stdout).toMatch(
      /^The index is complete: all messages can be found\. It takes [0-9.]+ MiB\.\n$/,
    );
    await server.stop();
    expect(await status()).toMatchObject({ is_complete: true, messages_left: 0 });
    await server.restart();
  });

  it('rebuild fills the index anew while the server runs', async () => {
    const answer = await run('rebuild', '--json');
    expect(answer).toMatchObject({ code: 0, stdout: '{"rebuilding":true}\n' });
    await found('zeppelin', 2);
    await eventually('a complete index', async () => (await status()).is_complete || undefined);
  });

  it('rebuild without a server leaves the filling to the next start', async () => {
    await server.stop();
    expect((await run('rebuild')).code).toBe(0);
    expect(await status()).toMatchObject({ is_complete: false, messages: 0 });
    expect((await run('status')).stdout).toMatch(/^The index is being filled: about 0 % of the messages/);
    await server.restart();
    await found('zeppelin', 2);
  });

  it.each(['status', 'rebuild'])(
    '%s without a server deletes a damaged file, says so, and succeeds',
    async (command) => {
      await server.stop();
      writeFileSync(join(server.dataDir, 'data/search.db'), 'this is no database'.repeat(1000));
      const { code, stderr } = await run(command);
      expect(stderr).toMatch(
        /^The index of the search was damaged \(.*\); the next start makes it anew\.\n$/,
      );
      expect(code).toBe(0);
      expect(await status()).toMatchObject({ is_complete: false, messages: 0 });
      await server.restart();
      await found('zeppelin', 2);
    },
  );

  it('a file that was damaged while the server was away is built anew, and the log says so', async () => {
    await server.stop();
    writeFileSync(join(server.dataDir, 'data/search.db'), 'this is no database'.repeat(1000));
    await server.restart();
    await found('zeppelin', 2);
    expect(server.logs.map(({ msg }) => msg)).toContain(
      'the index of the search was damaged, and is being built anew',
    );
  });

  it('a room that is deleted for good leaves the index by itself', async () => {
    const room = await createRoom(server, ann);
    await say(room.id, ['a dirigible']);
    await found('dirigible', 1);
    await send(server, `/api/v1/rooms/${room.id}`, { method: 'DELETE', token: ann.accessToken });
    await server.stop();
    // As the purge does, 30 days later.
    const roomful = openDatabase(join(server.dataDir, 'data/roomful.db'), { timeoutMs: 5000 });
    roomful.exec('PRAGMA foreign_keys = OFF');
    roomful.prepare('DELETE FROM messages WHERE room_id = ?').run(room.id);
    roomful.prepare('DELETE FROM rooms WHERE id = ?').run(room.id);
    roomful.close();
    const places = () => {
      const sqlite = openDatabase(join(server.dataDir, 'data/search.db'), { timeoutMs: 5000 });
      try {
        return sqlite.prepare('SELECT 1 FROM places WHERE room_id = ?').all(room.id).length;
      } finally {
        sqlite.close();
      }
    };
    expect(places()).toBe(1);
    await server.restart();
    await eventually('a room that is forgotten', () => Promise.resolve(places() === 0 || undefined));
  });
});
