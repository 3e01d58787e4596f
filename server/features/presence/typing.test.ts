import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TYPING_TTL_MS } from '../../../protocol/limits.ts';
import type { BusEvent } from '../../data/bus/bus.ts';
import { createMemoryBus } from '../../data/bus/memory.ts';
import { Typing } from './typing.ts';

const ROOM = 7;
const ann = { userId: 1, username: 'ann' };
const always = () => true;
/** Longer than the process of a typist may be silent. */
const LOST_MS = TYPING_TTL_MS + 2000;

function typing() {
  const bus = createMemoryBus();
  const subject = new Typing(bus);
  const announced: unknown[] = [];
  bus.subscribe((event) => event.type === 'typing' && announced.push(event.isTyping));
  subject.onLost = (change) => announced.push({ lost: change.userId, roomId: change.roomId });
  return { bus, subject, announced };
}

const typingOf = (isTyping: boolean): BusEvent => ({ type: 'typing', roomId: ROOM, ...ann, isTyping });
const messageOf = ({ userId, username }: typeof ann): BusEvent => {
  const texts = { content: 'text', cid: null, notice: null, facts: null };
  const message = { id: 1, roomId: ROOM, seq: 1, changedSeq: 1, createdAt: 1, userId, username, ...texts };
  return { type: 'message', roomId: ROOM, message };
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a message that the user posts through another process ends their typing through this one', () => {
  const { bus, subject, announced } = typing();
  subject.start(ROOM, ann, always);
  bus.publish(messageOf({ userId: 2, username: 'bob' }));
  vi.advanceTimersByTime(1);
  expect(announced).toEqual([true]);
  bus.publish(messageOf(ann));
  vi.advanceTimersByTime(1);
  expect(announced).toEqual([true, false]);
  vi.advanceTimersByTime(LOST_MS);
  expect(announced).toEqual([true, false]);
});

it('typing that begins right after a message goes on', () => {
  const { bus, subject, announced } = typing();
  subject.start(ROOM, ann, always);
  bus.publish(messageOf(ann));
  subject.stop(ROOM, ann);
  subject.start(ROOM, ann, always);
  vi.advanceTimersByTime(1);
  expect(announced).toEqual([true, false, true]);
});

it('typing through a process that dies ends, once', () => {
  const { bus, announced } = typing();
  bus.publish(typingOf(true));
  vi.advanceTimersByTime(TYPING_TTL_MS);
  bus.publish(typingOf(true));
  vi.advanceTimersByTime(TYPING_TTL_MS);
  expect(announced).toEqual([true, true]);
  vi.advanceTimersByTime(LOST_MS);
  expect(announced).toEqual([true, true, { lost: ann.userId, roomId: ROOM }]);
  vi.advanceTimersByTime(LOST_MS);
  expect(announced).toHaveLength(3);
});

it('typing that another process ends itself is not ended again; nor is our own', () => {
  const { bus, subject, announced } = typing();
  bus.publish(typingOf(true));
  bus.publish(typingOf(false));
  subject.start(ROOM, ann, always);
  vi.advanceTimersByTime(2 * LOST_MS);
  expect(announced).toEqual([true, false, true, false]);
});

it('a key that is held down asks once a second whether others may hear of it, and a later no ends the typing', async () => {
  const { subject, announced } = typing();
  let [asked, tells] = [0, true];
  const mayTell = async () => {
    asked++;
    return tells;
  };
  const press = () => subject.startIf(mayTell, { roomId: ROOM, user: ann, mayAnnounce: always });
  const hold = async (seconds: number) => {
    for (let at = 0; at < seconds * 20; at++) {
      await Promise.all([press(), press()]);
      vi.advanceTimersByTime(50);
    }
  };
  await hold(3);
  expect(asked).toBe(3);
  expect(announced).toEqual([true, true, true]);
  tells = false;
  await hold(1);
  expect(announced).toEqual([true, true, true, false]);
});

it('what the user may not announce is not asked for either', async () => {
  const { subject, announced } = typing();
  let asked = 0;
  const mayTell = async () => ++asked > 0;
  for (let at = 0; at < 5; at++)
    await subject.startIf(mayTell, { roomId: ROOM, user: ann, mayAnnounce: () => false });
  expect(asked).toBe(0);
  expect(announced).toEqual([]);
});
