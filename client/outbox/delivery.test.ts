import { beforeEach, describe, expect, test } from 'vitest';
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import type { Frame } from '../connection/frames.ts';
import { helloFrame } from '../testing/hello.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Delivery } from './delivery.ts';
import { Outbox } from './outbox.ts';
import { memoryOutbox } from './outbox-store.ts';

const ME = 7;
const EPOCH = 'e';
const settled = () => new Promise((resolve) => setImmediate(resolve));

function hello(limits = { messages_per_second: 0, message_burst: 0 }): Frame<'hello'> {
  return helloFrame({ epoch: EPOCH, limits: { content: 4000, frame_bytes: 65_536, ...limits } });
}

describe('delivery', () => {
  let clock: ManualClock;
  let outbox: Outbox;
  let delivery: Delivery;
  /** Rooms whose missed messages have not arrived. */
  let behind: Set<number>;
  let sent: (ClientFrameV2 & { type: 'message' })[];

  beforeEach(async () => {
    clock = new ManualClock(1_000_000);
    outbox = new Outbox({ store: memoryOutbox(), clock });
    sent = [];
    behind = new Set();
    delivery = new Delivery({
      me: ME,
      isReady: (roomId) => !behind.has(roomId),
      outbox,
      write: (frame) => {
        if (frame.type === 'message') sent.push(frame);
        return true;
      },
      onWritten: () => {},
      clock,
      random: () => 0,
    });
    outbox.subscribe(() => delivery.pump());
    await settled();
  });

  const send = async (...contents: string[]) => {
    for (const content of contents) void outbox.add(1, content, EPOCH);
    await settled();
  };
  const written = () => sent.map(({ content }) => content);
  const cid = (index: number) => sent[index]?.cid ?? '';
  const ack = (index: number) =>
    delivery.acked({
      type: 'ack',
      room_id: 1,
      cid: cid(index),
      id: 1,
      seq: 1,
      created_at: '2026-01-01T00:00:00.000Z',
    });
  const refuse = (index: number, retryable: boolean, more: { retry_after_ms?: number } = {}) =>
    delivery.refused({
      type: 'error',
      room_id: 1,
      content: 'no',
      code: 'too_fast',
      cid: cid(index),
      retryable,
      ...more,
    });

  test('hello starts the delivery: in order, and later messages at once', async () => {
    await send('one', 'two');
    expect(written()).toEqual([]);
    delivery.connected(hello());
    await send('three');
    expect(written()).toEqual(['one', 'two', 'three']);
  });

  test('what a text answers goes with it, and so do its files', async () => {
    const FILE = { key: 'Uq3xg0m2nN0lTzT1h8XVwA', name: 'a', type: 'text/plain', size: 1 };
    delivery.connected(hello());
    void outbox.add(1, 'quotes', EPOCH, { replyTo: 5, files: [FILE] });
    void outbox.add(1, 'reply', EPOCH, { threadId: 6 });
    void outbox.add(1, 'plain', EPOCH);
    await settled();
    const answers = sent.map(({ reply_to, thread_id, files }) => ({ reply_to, thread_id, files }));
    expect(answers).toEqual([{ reply_to: 5, files: [FILE.key] }, { thread_id: 6 }, {}]);
  });

  test('a room that resumes is delivered to after it: what was missed may contain our messages', async () => {
    await send('one', 'two');
    delivery.connected(hello());
    delivery.disconnected();
    behind.add(1);
    delivery.connected(hello());
    void outbox.add(2, 'elsewhere', EPOCH);
    await settled();
    expect(written()).toEqual(['one', 'two', 'elsewhere']);
    const { cid: first = '', content } = sent[0] ?? {};
    const echo = {
      type: 'message',
      id: 1,
      room_id: 1,
      user_id: ME,
      username: 'ann',
      content: content ?? '',
      created_at: '',
      seq: 1,
    } as const;
    delivery.found([{ ...echo, cid: first }]);
    behind.clear();
    delivery.pump();
    expect(written()).toEqual(['one', 'two', 'elsewhere', 'two']);
    expect(cid(3)).toBe(cid(1));
  });

  test('an unconfirmed message is sent again on the next connection, with the same cid, and not before', async () => {
    delivery.connected(hello());
    await send('one', 'two');
    delivery.pump();
    ack(0);
    expect(written()).toEqual(['one', 'two']);
    delivery.disconnected();
    delivery.connected(hello());
    expect(written()).toEqual(['one', 'two', 'two']);
    expect(cid(2)).toBe(cid(1));
  });

  test('the message itself confirms like an ack, but another user’s message with that cid does not', async () => {
    delivery.connected(hello());
    await send('one');
    const echo = {
      type: 'message',
      id: 1,
      room_id: 1,
      username: 'x',
      content: 'one',
      created_at: '',
      seq: 1,
      cid: cid(0),
    } as const;
    delivery.found([{ ...echo, user_id: 8 }]);
    expect(outbox.items).toHaveLength(1);
    delivery.found([{ ...echo, user_id: ME }]);
    expect(outbox.items).toEqual([]);
  });

  test('messages of all rooms are delivered in the order in which they were written', async () => {
    delivery.connected(hello());
    for (const [roomId, content] of [
      [1, 'one'],
      [2, 'two'],
      [1, 'three'],
    ] as const)
      void outbox.add(roomId, content, EPOCH);
    await settled();
    expect(sent.map(({ room_id, content }) => [room_id, content])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [1, 'three'],
    ]);
  });

  test('a permanent error fails its message only', async () => {
    delivery.connected(hello());
    await send('one');
    refuse(0, false);
    expect(outbox.items).toMatchObject([{ content: 'one', refusal: 'too_fast' }]);
    await send('two');
    expect(written()).toEqual(['one', 'two']);
  });

  test('a temporary error repeats the message after retry_after_ms, and later ones wait behind it', async () => {
    delivery.connected(hello());
    await send('one');
    refuse(0, true, { retry_after_ms: 700 });
    await send('two');
    clock.advance(699);
    expect(written()).toEqual(['one']);
    clock.advance(1);
    expect(written()).toEqual(['one', 'one', 'two']);
    expect(cid(1)).toBe(cid(0));
  });

  test('without retry_after_ms the pauses grow, 1.0, 1.5, 2.25 … s, until the next ack', async () => {
    delivery.connected(hello());
    await send('one');
    for (const [index, waitMs] of [1000, 1500, 2250].entries()) {
      refuse(index, true);
      expect(clock.nextInMs).toBe(waitMs);
      clock.advance(waitMs);
    }
    expect(written()).toHaveLength(4);
    ack(3);
    await send('two');
    refuse(4, true);
    expect(clock.nextInMs).toBe(1000);
  });

  test('an error without a cid, or for a settled message, is ignored', async () => {
    delivery.connected(hello());
    await send('one');
    ack(0);
    refuse(0, false);
    delivery.refused({ type: 'error', content: 'no', code: 'too_fast', retryable: true });
    expect(outbox.items).toEqual([]);
    expect(clock.nextInMs).toBeNull();
  });

  test('stays within the limits of hello', async () => {
    delivery.connected(hello({ messages_per_second: 10, message_burst: 5 }));
    await send(...Array.from({ length: 10 }, (_, i) => String(i)));
    expect(written()).toHaveLength(4);
    for (const index of [0, 1, 2, 3]) ack(index);
    clock.advance(200);
    expect(written()).toHaveLength(5);
    ack(4);
    clock.advance(400);
    for (const index of [5, 6, 7]) ack(index);
    clock.advance(1000);
    expect(written()).toHaveLength(10);
  });

  test('never has more unconfirmed messages than the server takes at once, however long the acks take', async () => {
    delivery.connected(hello({ messages_per_second: 10, message_burst: 5 }));
    await send(...Array.from({ length: 10 }, (_, i) => String(i)));
    clock.advance(60_000);
    expect(written()).toHaveLength(4);
    // The budget of an acked message refills from the ack on.
    ack(0);
    expect(written()).toHaveLength(4);
    clock.advance(112);
    expect(written()).toHaveLength(5);
    delivery.disconnected();
    delivery.connected(hello({ messages_per_second: 10, message_burst: 5 }));
    expect(written()).toHaveLength(5);
  });
});
