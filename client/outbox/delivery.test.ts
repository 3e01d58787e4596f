import { beforeEach, describe, expect, test } from 'vitest';
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import type { Frame } from '../connection/frames.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Delivery } from './delivery.ts';
import { Outbox } from './outbox.ts';
import { memoryOutbox } from './outbox-store.ts';
import { Pacer } from './pacer.ts';

const ME = 7;
const settled = () => new Promise((resolve) => setImmediate(resolve));

function hello(limits = { messages_per_second: 0, message_burst: 0 }, resumed = false): Frame<'hello'> {
  return {
    type: 'hello',
    protocol: 2,
    room_id: 1,
    user_id: ME,
    username: 'ann',
    epoch: 'e',
    seq: 0,
    online: 1,
    users: [],
    server_time: '',
    heartbeat_ms: 0,
    limits: { content: 4000, frame_bytes: 65_536, ...limits },
    resumed,
  };
}

describe('delivery', () => {
  let clock: ManualClock;
  let outbox: Outbox;
  let delivery: Delivery;
  let line: (ClientFrameV2 & { type: 'message' })[];

  beforeEach(async () => {
    clock = new ManualClock(1_000_000);
    outbox = new Outbox({ store: memoryOutbox(), clock });
    line = [];
    delivery = new Delivery({
      roomId: 1,
      me: ME,
      outbox,
      write: (frame) => {
        if (frame.type === 'message') line.push(frame);
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
    for (const content of contents) void outbox.add(1, content);
    await settled();
  };
  const written = () => line.map(({ content }) => content);
  const cid = (index: number) => line[index]?.cid ?? '';
  const ack = (index: number) =>
    delivery.heard({ type: 'ack', cid: cid(index), id: 1, seq: 1, created_at: '2026-01-01T00:00:00.000Z' });
  const refuse = (index: number, retryable: boolean, more: { retry_after_ms?: number } = {}) =>
    delivery.heard({ type: 'error', content: 'no', code: 'too_fast', cid: cid(index), retryable, ...more });

  test('writes what waits when the room says hello, in order, and what follows at once', async () => {
    await send('one', 'two');
    expect(written()).toEqual([]);
    delivery.heard(hello());
    await send('three');
    expect(written()).toEqual(['one', 'two', 'three']);
  });

  test('waits with it until a resumed connection has sent what was missed: that may have it', async () => {
    await send('one', 'two');
    delivery.heard(hello());
    delivery.disconnected();
    delivery.heard(hello(undefined, true));
    expect(written()).toEqual(['one', 'two']);
    const { cid: first = '', content } = line[0] ?? {};
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
    delivery.heard({ type: 'batch', events: [{ ...echo, cid: first }] });
    delivery.heard({ type: 'sync', seq: 1 });
    expect(written()).toEqual(['one', 'two', 'two']);
    expect(cid(2)).toBe(cid(1));
  });

  test('what no ack has confirmed goes again on the next connection, under the same cid, and only then', async () => {
    delivery.heard(hello());
    await send('one', 'two');
    delivery.pump();
    ack(0);
    expect(written()).toEqual(['one', 'two']);
    delivery.disconnected();
    delivery.heard(hello());
    expect(written()).toEqual(['one', 'two', 'two']);
    expect(cid(2)).toBe(cid(1));
  });

  test('an echo settles as well as an ack, another member’s message of that cid does not', async () => {
    delivery.heard(hello());
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
    delivery.heard({ ...echo, user_id: 8 });
    expect(outbox.items).toHaveLength(1);
    delivery.heard({ ...echo, user_id: ME });
    expect(outbox.items).toEqual([]);
  });

  test('an error that is not retryable fails the message and nothing else', async () => {
    delivery.heard(hello());
    await send('one');
    refuse(0, false);
    expect(outbox.items).toMatchObject([{ content: 'one', refusal: 'too_fast' }]);
    await send('two');
    expect(written()).toEqual(['one', 'two']);
  });

  test('a retryable error sends it again after retry_after_ms, and what follows waits behind it', async () => {
    delivery.heard(hello());
    await send('one');
    refuse(0, true, { retry_after_ms: 700 });
    await send('two');
    clock.advance(699);
    expect(written()).toEqual(['one']);
    clock.advance(1);
    expect(written()).toEqual(['one', 'one', 'two']);
    expect(cid(1)).toBe(cid(0));
  });

  test('without retry_after_ms it waits 1.0, 1.5, 2.25 … s, until something is acked', async () => {
    delivery.heard(hello());
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

  test('an error without a cid, or of a message that is settled, is nobody’s', async () => {
    delivery.heard(hello());
    await send('one');
    ack(0);
    refuse(0, false);
    delivery.heard({ type: 'error', content: 'no', code: 'too_fast', retryable: true });
    expect(outbox.items).toEqual([]);
    expect(clock.nextInMs).toBeNull();
  });

  test('keeps within the limits that hello names', async () => {
    delivery.heard(hello({ messages_per_second: 10, message_burst: 5 }));
    await send(...Array.from({ length: 10 }, (_, i) => String(i)));
    expect(written()).toHaveLength(4);
    clock.advance(200);
    expect(written()).toHaveLength(5);
    clock.advance(1000);
    expect(written()).toHaveLength(10);
  });
});

describe('the pacer never lets more through than the server’s bucket would', () => {
  test('over any time', () => {
    const clock = new ManualClock();
    const pacer = new Pacer({ messages_per_second: 50, message_burst: 300 }, clock);
    let tokens = 300;
    for (let sent = 0; sent < 2000; sent++) {
      const waitMs = pacer.waitMs('x');
      if (waitMs > 0) clock.advance(waitMs);
      expect(pacer.waitMs('x')).toBe(0);
      pacer.take('x');
      tokens = Math.min(300, tokens + (waitMs * 50) / 1000) - 1;
      expect(tokens).toBeGreaterThanOrEqual(0);
    }
  });

  test('nor more text', () => {
    const clock = new ManualClock();
    const pacer = new Pacer({ messages_per_second: 1000, message_burst: 1000 }, clock);
    const long = 'x'.repeat(4000);
    let kib = 512;
    for (let sent = 0; sent < 500; sent++) {
      const waitMs = pacer.waitMs(long);
      clock.advance(waitMs);
      pacer.take(long);
      kib = Math.min(512, kib + (waitMs * 64) / 1000) - 4;
      expect(kib).toBeGreaterThanOrEqual(0);
    }
    // 2000 KiB at 90 % of 64 KiB a second, less the burst.
    expect(clock.now()).toBeLessThan(28_000);
  });

  test('zero is no limit', () => {
    const pacer = new Pacer({ messages_per_second: 0, message_burst: 300 }, new ManualClock());
    for (let sent = 0; sent < 1000; sent++) pacer.take('x');
    expect(pacer.waitMs('x')).toBe(0);
  });
});
