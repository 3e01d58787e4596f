import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RoomFrame } from '../fanout/fanout.ts';
import { PresenceNotices } from './presence-notices.ts';

interface Heard {
  type: string;
  online: number;
  user_id?: number;
  joined?: { user_id: number }[];
  left?: { user_id: number }[];
}

/** A room whose people come and go, and what a v1 and a v2 socket in it hear. */
class Room {
  readonly heard = { 1: [] as Heard[], 2: [] as Heard[] };
  readonly present = new Set<number>();
  readonly heldBack: (readonly number[])[] = [];
  readonly spared: (readonly number[] | undefined)[] = [];
  /** Who came later, and whom each of them believes to be here. */
  readonly newcomers = new Map<number, Set<number>>();
  readonly #notices = new PresenceNotices(
    1,
    (frame) => this.#hear(frame),
    (userIds) => {
      this.heldBack.push(userIds);
      for (const id of userIds) if (this.newcomers.has(id)) this.show(id);
    },
  );

  constructor(people = 0) {
    for (let user = 1000; user < 1000 + people; user++) this.present.add(user);
  }

  toggle(user: number): void {
    const kind = this.present.delete(user) ? 'leave' : 'join';
    if (kind === 'join') this.present.add(user);
    this.#notices.changed(kind, { user_id: user, username: `u${user}` }, this.present.size);
  }

  /** A hello, or who is here now, to one who is not counted: a further socket of somebody's. */
  show(newcomer: number): void {
    this.newcomers.set(newcomer, new Set(this.present));
    this.#notices.shown(newcomer);
  }

  #hear(frame: RoomFrame): void {
    if (frame.encode(2) !== null) this.spared.push(frame.exceptUserIds);
    for (const version of [1, 2] as const) {
      const json = frame.encode(version);
      if (json !== null) this.heard[version].push(JSON.parse(json));
    }
    const json = frame.encode(2);
    if (json !== null) for (const known of this.newcomers.values()) addUp(known, JSON.parse(json));
  }
}

/** What somebody who knows these knows after one more frame. */
function addUp(known: Set<number>, { type, user_id, joined = [], left = [] }: Heard): void {
  if (type === 'join') known.add(user_id as number);
  if (type === 'leave') known.delete(user_id as number);
  for (const person of joined) known.add(person.user_id);
  for (const person of left) known.delete(person.user_id);
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('PresenceNotices', () => {
  it('up to 20 users: join and leave come at once, to both versions', () => {
    const room = new Room(19);
    room.toggle(1);
    room.toggle(1);
    const expected = [
      { type: 'join', room_id: 1, user_id: 1, username: 'u1', online: 20 },
      { type: 'leave', room_id: 1, user_id: 1, username: 'u1', online: 19 },
    ];
    expect(room.heard).toEqual({ 1: expected, 2: expected });
  });

  it('above: one presence per 250 ms, and a join and a leave within one window cancel', () => {
    const room = new Room(21);
    room.toggle(1);
    room.toggle(2);
    room.toggle(2);
    room.toggle(1000);
    expect(room.heard[2]).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(room.heard[2]).toEqual([
      {
        type: 'presence',
        online: 21,
        joined: [{ user_id: 1, username: 'u1' }],
        left: [{ user_id: 1000, username: 'u1000' }],
      },
    ]);
    expect(room.heard[1].map(({ type, user_id, online }) => [type, user_id, online])).toEqual([
      ['join', 1, 22],
      ['leave', 1000, 21],
    ]);
  });

  it('who enters is told so by a hello, and not by a presence; of the others in it they learn later', () => {
    const room = new Room(21);
    room.toggle(1);
    vi.advanceTimersByTime(250);
    expect(room.spared).toEqual([[1]]);
    expect(room.heldBack).toEqual([]);
    room.toggle(2);
    room.toggle(1000);
    room.toggle(3);
    vi.advanceTimersByTime(250);
    expect(room.spared).toEqual([[1], [2, 3]]);
    expect(room.heldBack).toEqual([[2, 3]]);
  });

  it('the window is flushed before the room changes over', () => {
    const room = new Room(20);
    room.toggle(1);
    room.toggle(1000);
    expect(room.heard[2].map(({ type }) => type)).toEqual(['presence', 'leave']);
  });

  it('who enters between a leaving and a return that cancel is shown who is here later', () => {
    const room = new Room(22);
    room.toggle(1000);
    room.show(5000);
    room.toggle(1000);
    expect(room.heldBack).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(room.heard[2]).toEqual([]);
    expect(room.heldBack).toEqual([[5000]]);
    room.toggle(1001);
    room.toggle(1001);
    vi.advanceTimersByTime(250);
    expect(room.heldBack).toEqual([[5000]]);
  });

  it('whoever adds up what was said knows who is here, whatever happened', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.nat({ max: 30 }) },
      { weight: 1, arbitrary: fc.constantFrom('pause' as const, 'show' as const) },
    );
    fc.assert(
      fc.property(fc.nat({ max: 25 }), fc.array(step, { maxLength: 120 }), (people, steps) => {
        const room = new Room(people);
        const known = new Set(room.present);
        for (const each of steps) {
          if (each === 'pause') vi.advanceTimersByTime(250);
          else if (each === 'show') room.show(5000 + room.newcomers.size);
          else room.toggle(each);
        }
        vi.advanceTimersByTime(250);
        for (const frame of room.heard[2]) addUp(known, frame);
        expect(known).toEqual(room.present);
        for (const newcomer of room.newcomers.values()) expect(newcomer).toEqual(room.present);
        const last = { 1: room.heard[1].at(-1)?.online, 2: room.heard[2].at(-1)?.online };
        if (last[1] !== undefined) expect(last[1]).toBe(room.present.size);
        if (last[2] !== undefined) expect(last[2]).toBe(room.present.size);
      }),
    );
  });
});
