/** `Uploads` of the SDK at a real server, through a line that is cut again and again. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { memoryStorage, Uploads } from '../../client/index.ts';
import { Relay } from '../postgres/relay.ts';
import { eventually } from '../support/eventually.ts';
import { fetchBytes } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { closeClients, newcomer } from './chat.ts';

const MIB = 1024 * 1024;
let server: ServerProcess;
let relay: Relay;

beforeAll(async () => {
  server = await ServerProcess.start({ env: { FILE_MAX_MIB: '8' } });
  relay = await Relay.start({ host: '127.0.0.1', port: server.port });
});
afterEach(closeClients);
afterAll(async () => {
  await relay?.[Symbol.asyncDispose]();
  await server?.dispose();
});

test('a message goes with its file through a line that is cut every few hundred KiB', async () => {
  const storage = memoryStorage();
  const client = await newcomer(server, { url: `http://127.0.0.1:${relay.port}`, storage });
  const { id: roomId } = await client.createRoom(`room ${Date.now()}`);
  const room = client.enter(roomId);
  // No pause between the tries.
  const clock = { now: Date.now, elapsed: () => performance.now(), after: soon };
  const uploads = new Uploads({ requests: client.api.requests, outbox: client.outbox, clock });
  const bytes = randomBytes(5 * MIB);
  let [since, cuts] = [0, 0];
  relay.decide = (chunk) => {
    since += chunk.length;
    if (since < 0.3 * MIB || cuts === 12) return 'pass';
    since = 0;
    return cuts++ % 2 === 0 ? 'lose' : 'lose reply';
  };
  uploads.add(roomId, 'draft', new File([bytes], 'film.bin'));
  const outcome = await room.send('The film', { files: uploads.take('draft') });
  expect(cuts).toBe(12);
  expect(outcome).toMatchObject({ outcome: 'stored', files: [{ name: 'film.bin', size: bytes.length }] });
  const [file] = await eventually('the checked file', () => {
    const { files } = room.state.messages.at(-1) ?? {};
    return files?.every(({ state }) => state === undefined) ? files : undefined;
  });
  const key = file?.key ?? '';
  const path = `/files/${key}/film.bin`;
  const authorization = `Bearer ${storage.getItem('chat_access')}`;
  const { bytes: served } = await fetchBytes(server, path, { headers: { authorization } });
  expect(hash(served)).toBe(hash(bytes));
  expect(uploads.all).toEqual([]);
  uploads.close();
});

test('a file that is larger than the server takes is refused alone, and hello has said so', async () => {
  const client = await newcomer(server);
  const { id: roomId } = await client.createRoom(`room ${Date.now()}`);
  client.enter(roomId);
  const uploads = new Uploads({ requests: client.api.requests, outbox: client.outbox });
  await eventually('hello', () => client.fileLimits ?? undefined);
  expect(client.fileLimits).toEqual({ fileBytes: 8 * MIB, files: 10 });
  uploads.add(roomId, 'draft', new Blob([Buffer.alloc(8 * MIB + 1)]));
  uploads.add(roomId, 'draft', new Blob(['small']));
  const isOver = () => uploads.all.every(({ isComplete, refusal }) => isComplete || refusal !== null);
  await eventually('both', () => isOver() || undefined);
  expect(uploads.all.map(({ refusal }) => refusal)).toEqual(['payload_too_large', null]);
  expect(uploads.take('draft')).toHaveLength(1);
  uploads.close();
});

function soon(_ms: number, run: () => void) {
  const timer = setTimeout(run, 5);
  return () => clearTimeout(timer);
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
