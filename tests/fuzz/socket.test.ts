/** No frame ends the process or disturbs other sockets, and exactly the valid messages are stored. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientFrameV1 } from '../../protocol/frames/v1.ts';
import { isCid, isMessageContent } from '../../protocol/text.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { runSeed } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, upgrade } from '../support/upgrade.ts';
import { newUpload, patchUpload } from '../support/uploads.ts';
import { createRoom, issueTicket, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const seed = runSeed();
const LIMITS = { seed, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false };

let server: ServerProcess;
let pid: number;
let ann: Login;
let roomId: number;
let witness: ChatClient;
beforeAll(async () => {
  console.info(`fuzz seed ${seed} (SEED=${seed} brings it back)`);
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  pid = server.pid;
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
  witness = await ChatClient.enter(server, await signUp(server), roomId);
});
afterAll(async () => {
  await witness?.close();
  await server?.dispose();
});

async function expectUnharmed(): Promise<void> {
  await witness.settle();
  expect((await send(server, '/health')).status).toBe(200);
  expect(server.isRunning).toBe(true);
  expect(server.pid).toBe(pid);
}

const strangeText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom('', ' ', '\0', '\ud800', '__proto__', '<script>', '\n'),
  fc.integer({ min: 3990, max: 4010 }).map((length) => 'a'.repeat(length)),
);
const value = fc.oneof(strangeText, fc.boolean(), fc.jsonValue({ maxDepth: 3 }));
const type = fc.oneof(
  fc.constantFrom('message', 'message', 'message', 'typing', 'ping', 'join', 'constructor'),
  value,
);
const frame = fc.oneof(
  strangeText.map((content) => JSON.stringify({ type: 'message', content })),
  fc
    .record(
      { type, content: value, is_typing: value, user_id: value, cid: value, __proto__: value },
      { requiredKeys: ['type'] },
    )
    .map((fields) => JSON.stringify(fields)),
  fc.json(),
  strangeText.map((text) => text.toWellFormed()),
);

/** The content that this frame must store, if it is a valid message by the protocol's schema. */
function contentOf(text: string): string | null {
  try {
    const parsed = clientFrameV1.safeParse(JSON.parse(text));
    return parsed.success && parsed.data.type === 'message' ? parsed.data.content : null;
  } catch {
    return null;
  }
}

test('of any sequence of text frames exactly the valid messages are stored, in order; each other one gets a response', {
  timeout: 60_000,
}, async () => {
  const expected: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 30 }), async (frames) => {
      const socket = await ChatClient.enter(server, ann, roomId);
      for (const text of frames) {
        socket.sendRaw(text);
        const content = contentOf(text);
        if (content !== null) expected.push(content);
      }
      await socket.settle();
      expect(socket.isOpen).toBe(true);
      await socket.close();
    }),
    // Shrinking would store messages that the model does not have.
    { ...LIMITS, numRuns: 60, endOnFailure: true },
  );
  await witness.waitForCount('message', expected.length);
  expect((await readHistory(server, ann, roomId)).map((message) => message.content)).toEqual(expected);
  await expectUnharmed();
});

test('any bytes after the upgrade end at most their own socket', { timeout: 60_000 }, async () => {
  const chunk = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    // A plausible head, so that more than the first byte is read.
    fc
      .tuple(
        fc.constantFrom(0x81, 0x01, 0x80, 0x82, 0x88, 0x89, 0x8a),
        fc.uint8Array({ minLength: 6, maxLength: 130 }),
      )
      .map(([first, rest]) => Uint8Array.of(first, 0x80 | (rest.length - 4), ...rest)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 10 }), async (chunks) => {
      const ticket = await issueTicket(server, ann, roomId);
      const { socket } = await upgrade(server, `/ws?room_id=${roomId}`, { protocols: offering(ticket) });
      if (socket === null) throw new Error('the upgrade was refused');
      socket.resume();
      const closed = new Promise((resolve) => socket.on('close', resolve));
      for (const bytes of chunks) socket.write(bytes);
      socket.end();
      await closed;
    }),
    { ...LIMITS, numRuns: 100 },
  );
  await expectUnharmed();
});

test('each change on a line has one response, with the ref where it has one, and no invalid text is stored', {
  timeout: 60_000,
}, async () => {
  const author = await LineClient.start(server, ann);
  await author.enter(roomId);
  const { id } = await author.post(roomId, 'a text that is changed');
  const number = fc.oneof(fc.constantFrom(0, 1, -1, id, roomId, 999_999), value);
  const change = fc
    .record(
      {
        type: fc.constantFrom('edit', 'delete', 'react'),
        room_id: fc.oneof(fc.constant(roomId), number),
        id: fc.oneof(fc.constant(id), number),
        ref: fc.oneof(fc.uuid(), value),
        content: strangeText,
        base_revision: number,
        emoji: fc.oneof(fc.constantFrom('🦊', '❤', '1'), strangeText),
        on: fc.oneof(fc.boolean(), value),
        __proto__: value,
      },
      { requiredKeys: ['type'] },
    )
    .map((fields) => JSON.stringify(fields));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 30 }), async (frames) => {
      const line = await LineClient.start(server, ann);
      for (const text of frames) line.sendRaw(text);
      const answers = () => line.frames.filter(({ type }) => type === 'changed' || type === 'error');
      await line.until('all responses', () => answers().length >= frames.length || undefined);
      await line.settle();
      expect(line.isOpen).toBe(true);
      const refs = answers().flatMap((frame) =>
        'ref' in frame && frame.ref !== undefined ? [frame.ref] : [],
      );
      const sent = frames.flatMap((text) => {
        const { ref } = JSON.parse(text) as { ref?: unknown };
        return typeof ref === 'string' && isCid(ref) ? [ref] : [];
      });
      expect(refs.sort()).toEqual(sent.sort());
      await line.close();
    }),
    { ...LIMITS, numRuns: 60, endOnFailure: true },
  );
  const changes = author.events(roomId).filter((message) => message.id === id);
  for (const { content, deleted_at } of changes)
    if (!deleted_at) expect(isMessageContent(content)).toBe(true);
  await author.close();
  await expectUnharmed();
});

test('of any files that messages name, each is in one message at most, and no message is empty', {
  timeout: 60_000,
}, async () => {
  const keys: string[] = [];
  for (let count = 0; count < 4; count++) {
    const key = await newUpload(server, ann, roomId, { size: 3, name: 'a' });
    await patchUpload(server, ann, key, 0, Buffer.from('abc'));
    keys.push(key);
  }
  const key = fc.oneof(fc.constantFrom(...keys), fc.constantFrom('A'.repeat(22), '../../etc/passwd'), value);
  const message = fc
    .record(
      {
        type: fc.constant('message'),
        room_id: fc.oneof({ weight: 5, arbitrary: fc.constant(roomId) }, { weight: 1, arbitrary: value }),
        content: fc.oneof(fc.constant(''), strangeText),
        cid: fc.oneof({ weight: 5, arbitrary: fc.uuid() }, { weight: 1, arbitrary: value }),
        files: fc.oneof(fc.array(key, { maxLength: 12 }), value),
      },
      { requiredKeys: ['type', 'content'] },
    )
    .map((fields) => JSON.stringify(fields));
  const author = await LineClient.start(server, ann);
  await author.enter(roomId);
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 30 }), async (frames) => {
      const line = await LineClient.start(server, ann);
      for (const text of frames) line.sendRaw(text);
      await line.settle();
      expect(line.isOpen).toBe(true);
      await line.close();
    }),
    { ...LIMITS, numRuns: 60 },
  );
  await author.settle();
  const first = new Map(author.events(roomId).map((event) => [event.id, event]));
  const used = [...first.values()].flatMap(({ files = [] }) => files.map((file) => file.key));
  expect(new Set(used).size).toBe(used.length);
  expect(keys).toEqual(expect.arrayContaining(used));
  for (const { content, files, deleted_at: deletedAt } of first.values())
    expect(isMessageContent(content) || deletedAt !== undefined || (files?.length ?? 0) > 0).toBe(true);
  await author.close();
  await expectUnharmed();
});
