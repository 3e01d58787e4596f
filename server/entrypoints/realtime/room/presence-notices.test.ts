import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RoomFrame } from '../fanout/turn.ts';
import { wireV1 } from '../wire/v1.ts';
import { wireInSight } from '../wire/v2.ts';
import { PresenceNotices } from './presence-notices.ts';

interface Heard {
  type: string;
  online: number;
  user_id?: number;
  joined?: { user_id: number }[];
  left?: { user_id: number }[];
}

/** A room whose users come and go, and the frames that a v1 and a v2 socket in it receive. */
class Room {
  readonly heard = { 1: [] as Heard[], 2: [] as Heard[] };
  readonly present = new Set<number>();
  readonly stale: (readonly number[])[] = [];
  readonly excepted: (readonly number[] | undefined)[] = [];
  /** Sockets that came later, and the users whom each of them believes to be here. */
  readonly newcomers = new Map<number, Set<number>>();
  readonly #notices = new PresenceNotices(
    1,
    (frame) => this.#hear(frame),
    (userIds) => {
      this.stale.push(userIds);
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

  /** Sends the present state to a socket that is not counted: a further one of some user. */
  show(newcomer: number): void {
    this.newcomers.set(newcomer, new Set(this.present));
    this.#notices.shown(newcomer);
  }

  #hear(frame: RoomFrame): void {
    const [v1, v2] = [frame.encode(wireV1), frame.encode(wireInSight)];
    if (v1 !== null) this.heard[1].push(JSON.parse(v1));
    if (v2 === null) return;
    this.heard[2].push(JSON.parse(v2));
    this.excepted.push(frame.exceptUserIds);
    for (const known of this.newcomers.values()) addUp(known, JSON.parse(v2));
  }
}

/** Applies one more frame of v2 to a set of known users. */
function addUp(known: Set<number>, { joined = [], left = [] }: Heard): void {
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
  it('up to 20 users: join and leave are sent at once, in both protocols', () => {
    const room = new Room(19);
    room.toggle(1);
    room.toggle(1);
    const one = { user_id: 1, username: 'u1' };
    expect(room.heard).toEqual({
      1: [
        { type: 'join', room_id: 1, ...one, online: 20 },
        { type: 'leave', room_id: 1, ...one, online: 19 },
      ],
      2: [
        { type: 'presence', room_id: 1, online: 20, joined: [one], left: [] },
        { type: 'presence', room_id: 1, online: 19, joined: [], left: [one] },
      ],
    });
  });

  it('in a room of 10 000 ten thousand changes in 20 s are told in four presence frames', () => {
    const room = new Room(10_000);
    for (let change = 0; change < 10_000; change++) {
      room.toggle(change % 2 === 0 ? change + 20_000 : 1000 + change);
      vi.advanceTimersByTime(2);
    }
    vi.advanceTimersByTime(5000);
    expect(room.heard[2]).toHaveLength(4);
    expect(room.heard[2].flatMap(({ joined }) => joined)).toHaveLength(5000);
  });

  it('above: one presence frame per 250 ms, and a join and a leave within one window cancel out', () => {
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
        room_id: 1,
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

  it('a user who enters gets a hello and not the presence frame; the others in that frame come later', () => {
    const room = new Room(21);
    room.toggle(1);
    vi.advanceTimersByTime(250);
    expect(room.excepted).toEqual([[1]]);
    expect(room.stale).toEqual([]);
    room.toggle(2);
    room.toggle(1000);
    room.toggle(3);
    vi.advanceTimersByTime(250);
    expect(room.excepted).toEqual([[1], [2, 3]]);
    expect(room.stale).toEqual([[2, 3]]);
  });

  it('the window is flushed before the room changes over', () => {
    const room = new Room(20);
    room.toggle(1);
    room.toggle(1000);
    expect(room.heard[2].map(({ joined, left }) => [joined?.length, left?.length])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('a user who enters between a leave and a join that cancel out gets the present state later', () => {
    const room = new Room(22);
    room.toggle(1000);
    room.show(5000);
    room.toggle(1000);
    expect(room.stale).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(room.heard[2]).toEqual([]);
    expect(room.stale).toEqual([[5000]]);
    room.toggle(1001);
    room.toggle(1001);
    vi.advanceTimersByTime(250);
    expect(room.stale).toEqual([[5000]]);
  });

  it('a client that adds up the frames knows who is here, whatever happened', () => {
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
