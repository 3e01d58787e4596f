/** What every bus promises (bus.ts), as tests. An adapter's test file calls it with a way to make buses. */
import { describe, expect, it } from 'vitest';
import type { MessageRow } from '../storage/store.ts';
import type { Bus, BusEvent } from './bus.ts';

/** Two ends of one bus, such as two processes have; for a bus within one process they are the same. */
export interface BusSubject {
  near: Bus;
  far: Bus;
  /** Resolves when everything that was published has arrived. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const ROOM = 3;

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
    it('every event goes to every subscriber that has entered its room, those of the publisher included', () =>
      withBus(async ({ near, far, settled }) => {
        const heard: BusEvent[][] = [[], [], []];
        await Promise.all([near.enter(ROOM), far.enter(ROOM)]);
        near.subscribe((event) => heard[0]?.push(event));
        near.subscribe((event) => heard[1]?.push(event));
        far.subscribe((event) => heard[2]?.push(event));
        const events = everyKind();
        for (const event of events) near.publish(event);
        await settled();
        for (const each of heard) {
          const received = each.filter(({ type }) => type !== 'head');
          expect(received).toHaveLength(events.length);
          // Between events of different kinds no order is promised.
          expect(received).toEqual(expect.arrayContaining(events));
        }
      }));

    it('the events of one room arrive in the order of publishing', () =>
      withBus(async ({ near, far, settled }) => {
        await far.enter(ROOM);
        const heard: unknown[] = [];
        far.subscribe((event) => {
          if (event.type === 'message') heard.push(event.message.changedSeq);
          if (event.type === 'typing') heard.push(event.userId);
        });
        const expected: number[] = [];
        for (let seq = 1; seq <= 500; seq++) {
          near.publish(messageEvent({ seq, changedSeq: seq }));
          near.publish({ type: 'typing', roomId: ROOM, userId: 1000 + seq, username: 'ann', isTyping: true });
          expected.push(seq, 1000 + seq);
          if (seq % 100 === 0) await nextTurn();
        }
        await settled();
        expect(heard).toEqual(expected);
      }));

    it('other events of one kind arrive in the order of publishing', () =>
      withBus(async ({ near, far, settled }) => {
        const heard: number[] = [];
        far.subscribe((event) => event.type === 'session_revoked' && heard.push(event.sessionId));
        const ids = Array.from({ length: 1000 }, (_, index) => index + 1);
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

    it('a process that has not entered a room receives the number of each message there, and each notice whole', () =>
      withBus(async ({ near, far, settled }) => {
        let head = 0;
        const notices: MessageRow[] = [];
        far.subscribe((event) => {
          if (event.type === 'head') head = Math.max(head, event.seq);
          if (event.type !== 'message') return;
          head = Math.max(head, event.message.changedSeq);
          if (event.message.notice !== null) notices.push(event.message);
        });
        const ann = { user_id: 7, username: 'ann' };
        const notice = JSON.stringify({ kind: 'joined', by: ann, member: { ...ann, role: 'member' } });
        near.publish(messageEvent({ seq: 1, changedSeq: 1, notice }));
        near.publish(messageEvent({ seq: 2, changedSeq: 2 }));
        await settled();
        expect(head).toBe(2);
        expect(notices.map(({ changedSeq }) => changedSeq)).toEqual([1]);
      }));

    it('a room that was left is heard again once it is entered again', () =>
      withBus(async ({ near, far, settled }) => {
        await far.enter(ROOM);
        far.leave(ROOM);
        await far.enter(ROOM);
        const heard: BusEvent[] = [];
        far.subscribe((event) => event.type === 'message' && heard.push(event));
        near.publish(messageEvent({ seq: 1, changedSeq: 1 }));
        await settled();
        expect(heard).toEqual([messageEvent({ seq: 1, changedSeq: 1 })]);
        far.leave(ROOM);
      }));

    it('a room is heard until everybody who entered it has left', () =>
      withBus(async ({ near, far, settled }) => {
        await Promise.all([far.enter(ROOM), far.enter(ROOM)]);
        far.leave(ROOM);
        const heard: BusEvent[] = [];
        far.subscribe((event) => event.type === 'message' && heard.push(event));
        near.publish(messageEvent({ seq: 1, changedSeq: 1 }));
        await settled();
        expect(heard).toHaveLength(1);
        far.leave(ROOM);
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

    it('a bus whose connection holds is not in doubt', () =>
      withBus(async ({ near, far, settled }) => {
        await settled();
        expect([near.isInDoubt, far.isInDoubt]).toEqual([false, false]);
      }));

    it('nothing is received after the bus was closed, and publishing then does nothing', () =>
      withBus(async ({ near, far, settled }) => {
        const heard: BusEvent[] = [];
        far.subscribe((event) => heard.push(event));
        await settled();
        await far.close();
        near.publish({ type: 'session_revoked', sessionId: 1 });
        far.publish({ type: 'session_revoked', sessionId: 2 });
        await settled();
        expect(heard).toEqual([]);
      }));
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function messageEvent(fields: Partial<MessageRow>): BusEvent {
  const message = {
    id: 5,
    roomId: ROOM,
    seq: 4,
    userId: 7,
    username: 'ann',
    content: '\u{1F600} "\n',
    createdAt: 1,
    cid: null,
    changedSeq: 4,
    notice: null,
    facts: null,
  };
  return { type: 'message', roomId: ROOM, message: { ...message, ...fields } };
}

function everyKind(): BusEvent[] {
  return [
    messageEvent({}),
    messageEvent({ seq: 5, changedSeq: 5, cid: 'c' }),
    { type: 'typing', roomId: ROOM, userId: 7, username: 'ann', isTyping: true },
    { type: 'session_revoked', sessionId: 9 },
    { type: 'user_log', userId: 7, seq: 12 },
    { type: 'profile', userId: 7, version: 3 },
  ];
}
