/**
 * Checks what one connection receives of the users in the room in sight: nobody comes twice or leaves twice, and nobody
 * who is there all the time, in whatever processes, comes or leaves.
 */
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { SMALL_ROOM_USERS } from '../../protocol/limits.ts';
import type { Plan } from './plan.ts';
import type { Whereabouts } from './whereabouts.ts';

/** Changes reach all processes within this time, and the time that the bus takes. */
const REACHES_MS = 2000;

/** In rooms with more users, changes wait, and those who come meanwhile get them twice. */
const MAX_USERS = SMALL_ROOM_USERS;

/** What may be checked in this plan; null: nothing. */
export function presenceOf(
  plan: Plan,
  whereabouts: Whereabouts,
): Pick<PresenceWitnessOptions, 'whereabouts' | 'busMs'> | null {
  if (plan.cluster === null || plan.users > MAX_USERS) return null;
  const { loss, maxMs } = plan.cluster.redis;
  const isLossy = loss > 0 || plan.actions.some(({ kind }) => kind === 'restart redis');
  return { whereabouts, busMs: isLossy ? null : maxMs };
}

export interface PresenceWitnessOptions {
  whereabouts: Whereabouts;
  now: () => number;
  /** The longest that the bus takes; null: it may lose changes, which are then found late. */
  busMs: number | null;
  violation: (text: string) => void;
}

interface InSight {
  roomId: number;
  since: number;
  /** All processes knew then where everybody was. */
  isSure: boolean;
  /** Users who are here, and since when the client knows that; null: it has not got the state yet. */
  users: Map<number, number> | null;
}

export class PresenceWitness {
  readonly #options: PresenceWitnessOptions;
  #inSight: InSight | null = null;

  constructor(options: PresenceWitnessOptions) {
    this.#options = options;
  }

  sends(frame: ClientFrameV2): void {
    if (frame.type === 'here') {
      const { whereabouts, now } = this.#options;
      const state = { since: now(), isSure: whereabouts.areKnown, users: null };
      this.#inSight = frame.room_id === null ? null : { ...state, roomId: frame.room_id };
    }
    const isAnew =
      (frame.type === 'open' || frame.type === 'close') && frame.room_id === this.#inSight?.roomId;
    if (isAnew) this.#inSight = null;
  }

  hear(frame: ServerFrameV2): void {
    if (frame.type !== 'presence' || frame.room_id !== this.#inSight?.roomId) return;
    const now = this.#options.now();
    const inSight = this.#inSight;
    if (frame.users) inSight.users = new Map(frame.users.map(({ user_id }) => [user_id, now]));
    const { users } = inSight;
    if (users === null) return;
    for (const { user_id: userId } of frame.joined) {
      if (users.has(userId)) this.#wrong(frame, `user ${userId} was there`);
      this.#check(frame, userId, inSight);
      users.set(userId, now);
    }
    for (const { user_id: userId } of frame.left) {
      if (!users.has(userId)) this.#wrong(frame, `user ${userId} was not there`);
      this.#check(frame, userId, inSight);
      users.delete(userId);
    }
  }

  #check(frame: ServerFrameV2, userId: number, { roomId, since, isSure, users }: InSight): void {
    const { whereabouts, busMs } = this.#options;
    const stay = whereabouts.stay(roomId, userId);
    if (busMs === null || !isSure || stay === null) return;
    const isAllTheTime = stay.since < since - REACHES_MS - 3 * busMs;
    // Nobody can have an old notice of somebody who never was there before.
    const isFirstStay = stay.isFirst && stay.since < (users?.get(userId) ?? Number.NEGATIVE_INFINITY);
    if (isAllTheTime || isFirstStay) this.#wrong(frame, `user ${userId} is there since ${stay.since}`);
  }

  #wrong(heard: object, why: string): void {
    this.#options.violation(`received ${JSON.stringify(heard)}, but ${why}`);
  }
}
