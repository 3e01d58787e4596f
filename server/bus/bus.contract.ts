/** What every bus promises (bus.ts), as tests. An adapter's test file calls it with a way to make buses. */
import { describe, expect, it } from 'vitest';
import type { Bus, BusEvent } from './bus.ts';

/** Two ends of one bus, such as two processes have; for a bus within one process they are the same. */
export interface BusSubject {
  near: Bus;
  far: Bus;
  /** Resolves when everything that was published has arrived. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export function describeBus(name: string, create: () => Promise<BusSubject>): void {
  async function withBus(test: (subject: BusSubject) => Promise<void>): Promise<void> {
    const subject = await create();
    try {
      await test(subject);
    } finally {
      await subject.close();
    }
  }

  describe(`${name}: the promises of a bus`, () => {
    it('every event goes to every subscriber, those of the publisher included', () =>
      withBus(async ({ near, far, settled }) => {
        const heard: BusEvent[][] = [[], [], []];
        near.subscribe((event) => heard[0]?.push(event));
        near.subscribe((event) => heard[1]?.push(event));
        far.subscribe((event) => heard[2]?.push(event));
        const events = everyKind();
        for (const event of events) near.publish(event);
        await settled();
        expect(heard).toEqual([events, events, events]);
      }));

    it('the events of one publisher arrive in the order of publishing', () =>
      withBus(async ({ near, far, settled }) => {
        const heard: number[] = [];
        far.subscribe((event) => event.type === 'session_revoked' && heard.push(event.sessionId));
        const ids = Array.from({ length: 1000 }, (_, index) => index);
        for (const sessionId of ids) near.publish({ type: 'session_revoked', sessionId });
        await settled();
        expect(heard).toEqual(ids);
      }));

    it('own subscribers receive an event before publish returns', () =>
      withBus(async ({ near }) => {
        const heard: BusEvent[] = [];
        near.subscribe((event) => heard.push(event));
        const [event] = everyKind();
        if (event) near.publish(event);
        expect(heard).toEqual([event]);
      }));

    it('a subscriber that has unsubscribed receives nothing more, even in the middle of an event', () =>
      withBus(async ({ near, settled }) => {
        let heard = 0;
        const stops: (() => void)[] = [];
        for (let count = 0; count < 2; count++) {
          stops.push(
            near.subscribe(() => {
              heard++;
              for (const stop of stops) stop();
            }),
          );
        }
        near.publish({ type: 'session_revoked', sessionId: 1 });
        near.publish({ type: 'session_revoked', sessionId: 2 });
        await settled();
        expect(heard).toBe(1);
        for (const stop of stops) stop();
      }));

    it('an event that nobody subscribes to is dropped', () =>
      withBus(async ({ near, settled }) => {
        near.publish({ type: 'session_revoked', sessionId: 1 });
        const heard: BusEvent[] = [];
        near.subscribe((event) => heard.push(event));
        await settled();
        expect(heard).toEqual([]);
      }));

    it('a subscriber may publish', () =>
      withBus(async ({ near, settled }) => {
        const heard: number[] = [];
        near.subscribe((event) => {
          if (event.type !== 'session_revoked') return;
          heard.push(event.sessionId);
          if (event.sessionId < 3) near.publish({ type: 'session_revoked', sessionId: event.sessionId + 1 });
        });
        near.publish({ type: 'session_revoked', sessionId: 1 });
        await settled();
        expect(heard).toEqual([1, 2, 3]);
      }));
  });
}

function everyKind(): BusEvent[] {
  const message = {
    ...{ id: 5, roomId: 3, seq: 4, userId: 7, username: 'ann', content: '\u{1F600} "\n', createdAt: 1 },
    ...{ cid: null, changedSeq: 4, notice: null },
  };
  return [
    { type: 'message', roomId: 3, message },
    { type: 'message', roomId: 3, message: { ...message, seq: 5, changedSeq: 5, cid: 'c' } },
    { type: 'typing', roomId: 3, userId: 7, username: 'ann', isTyping: true },
    { type: 'session_revoked', sessionId: 9 },
    { type: 'user_log', userId: 7, seq: 12 },
    { type: 'profile', userId: 7, version: 3 },
  ];
}
