import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { Pacer } from './pacer.ts';

/** A token bucket as the server's. Its clock is the true time. */
class ServerBucket {
  readonly #perMs: number;
  readonly #capacity: number;
  #tokens: number;
  #at = 0;

  constructor(perSecond: number, capacity: number) {
    this.#perMs = perSecond / 1000;
    this.#capacity = capacity;
    this.#tokens = capacity;
  }

  takes(cost: number, now: number): boolean {
    this.#tokens = Math.min(this.#capacity, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }
}

/**
 * Sends `texts` as fast as the pacer allows over a network with these delays, in milliseconds, there and back. Nothing
 * overtakes. Returns the number of messages that the bucket refuses, and the time that it took.
 */
function deliver(
  limit: { messages_per_second: number; message_burst: number },
  texts: readonly string[],
  delays: readonly (readonly [there: number, back: number])[],
  bucket: ServerBucket,
  cost: (text: string) => number,
): { refused: number; tookMs: number } {
  const clock = new ManualClock();
  const pacer = new Pacer(limit, clock);
  let [refused, arrivesAt, returnsAt, next] = [0, 0, 0, 0];
  let cancel = () => {};
  const sendDue = () => {
    cancel();
    for (; next < texts.length; next++) {
      const text = texts[next] ?? '';
      const waitMs = pacer.waitMs(text);
      if (waitMs > 0) {
        if (Number.isFinite(waitMs)) cancel = clock.after(waitMs, sendDue);
        return;
      }
      pacer.sent(text);
      const [there, back] = delays[next % delays.length] ?? [0, 0];
      arrivesAt = Math.max(arrivesAt, clock.now() + there);
      returnsAt = Math.max(returnsAt, arrivesAt + back);
      clock.after(arrivesAt - clock.now(), () => {
        if (!bucket.takes(cost(text), clock.now())) refused += 1;
      });
      clock.after(returnsAt - clock.now(), () => {
        pacer.settled(text);
        sendDue();
      });
    }
  };
  sendDue();
  for (let ms = clock.nextInMs; ms !== null; ms = clock.nextInMs) clock.advance(ms);
  expect(next).toBe(texts.length);
  return { refused, tookMs: clock.now() };
}

const someDelays = fc.array(
  fc.tuple(fc.oneof(fc.nat(20), fc.nat(2000)), fc.oneof(fc.nat(20), fc.nat(2000))),
  { minLength: 1, maxLength: 30 },
);

test('the server refuses no message for its rate, however bunched the messages arrive', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 2, max: 40 }),
      fc.integer({ min: 1, max: 200 }),
      someDelays,
      (perSecond, burst, count, delays) => {
        const limit = { messages_per_second: perSecond, message_burst: burst };
        const texts = Array.from({ length: count }, () => 'x');
        const bucket = new ServerBucket(perSecond, burst);
        expect(deliver(limit, texts, delays, bucket, () => 1).refused).toBe(0);
      },
    ),
  );
});

test('the server refuses no message for its length, however bunched the messages arrive', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 300 }),
      someDelays,
      (lengths, delays) => {
        const limit = { messages_per_second: 1000, message_burst: 1000 };
        const texts = lengths.map((kib) => 'x'.repeat(kib * 1000));
        const bucket = new ServerBucket(64, 512);
        const { refused } = deliver(limit, texts, delays, bucket, (text) => Math.ceil(text.length / 1024));
        expect(refused).toBe(0);
      },
    ),
  );
});

test('over a fast network, nine tenths of the limit are used', () => {
  const limit = { messages_per_second: 50, message_burst: 300 };
  const texts = Array.from({ length: 2000 }, () => 'x');
  const { tookMs } = deliver(limit, texts, [[2, 2]], new ServerBucket(50, 300), () => 1);
  // 2000 messages without the burst of 270, at 45 a second.
  expect(tookMs).toBeGreaterThan(38_000);
  expect(tookMs).toBeLessThan(39_000);
});

test('zero is no limit', () => {
  const pacer = new Pacer({ messages_per_second: 0, message_burst: 300 }, new ManualClock());
  for (let sent = 0; sent < 1000; sent++) pacer.sent('x');
  expect(pacer.waitMs('x')).toBe(0);
});
