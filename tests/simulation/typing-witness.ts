/**
 * Checks what one connection receives of the users who type: every `true` is followed by a `false`, also when the process
 * of the typist dies. Where nothing disturbs, it comes in time, and soon after a message of the typist.
 */
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { TYPING_REPEAT_MS, TYPING_TTL_MS } from '../../protocol/limits.ts';
import type { Plan } from './plan.ts';

/** A socket that is far behind gets no notices of typing. */
export function mayShed({ actions }: Plan): boolean {
  return actions.some((action) => action.kind === 'say' && action.length > 0);
}

export interface TypingWitnessOptions {
  now: () => number;
  /** Calls back after this time, if the simulation goes on. */
  after: (ms: number, run: () => void) => void;
  /** Where nothing disturbs: the longest way of a notice from one client to another. Else null. */
  reachesMs: number | null;
  violation: (text: string) => void;
}

/** A user who types, from the first `true` to the `false`. */
interface Stint {
  readonly since: number;
  last: number;
}

export class TypingWitness {
  readonly #options: TypingWitnessOptions;
  /** The room in sight, once the server has shown who is there: it brings no typing of others. */
  #inSight: number | null = null;
  /** By user of that room. */
  readonly #stints = new Map<number, Stint>();
  #isOver = false;

  constructor(options: TypingWitnessOptions) {
    this.#options = options;
  }

  /** Nothing more has to come: the page ends the typing of others by itself after `TYPING_TTL_MS`. */
  ends(): void {
    this.#isOver = true;
  }

  sends(frame: ClientFrameV2): void {
    if (frame.type === 'here') this.#leave();
    if ((frame.type === 'open' || frame.type === 'close') && frame.room_id === this.#inSight) this.#leave();
  }

  hear(frame: ServerFrameV2): void {
    if (!('room_id' in frame) || frame.room_id === undefined) return;
    if (frame.type === 'presence' && frame.users) this.#inSight = frame.room_id;
    if (frame.room_id !== this.#inSight) return;
    if (frame.type === 'opened' || frame.type === 'gone') this.#leave();
    if (frame.type === 'typing') this.#types(frame.user_id, frame.is_typing);
    if (frame.type === 'message' && frame.notice === undefined && frame.changed_seq === undefined)
      this.#posted(frame.user_id);
  }

  /** Nobody has typed for a while. */
  checkEnd(): void {
    if (this.#isOver) return;
    for (const [userId, { last }] of this.#stints)
      this.#options.violation(`the typing of user ${userId} never ended; the last notice came at ${last}`);
  }

  #types(userId: number, isTyping: boolean): void {
    if (!isTyping) return void this.#stints.delete(userId);
    const now = this.#options.now();
    const stint = this.#stints.get(userId) ?? { since: now, last: now };
    stint.last = now;
    this.#stints.set(userId, stint);
    // The typist may have typed on without a notice.
    this.#expectEnd(userId, TYPING_REPEAT_MS + TYPING_TTL_MS, ({ last }) => last === now);
  }

  #posted(userId: number): void {
    const { now, reachesMs } = this.#options;
    const stint = this.#stints.get(userId);
    // One who began meanwhile types on.
    if (stint === undefined || reachesMs === null || now() - stint.since < reachesMs) return;
    this.#expectEnd(userId, 0, (other) => other === stint);
  }

  /** The typing must end within this time, and the time that notices take, if it still is the same. */
  #expectEnd(userId: number, withinMs: number, isSame: (stint: Stint) => boolean): void {
    const { after, reachesMs, violation } = this.#options;
    if (reachesMs === null) return;
    after(withinMs + reachesMs, () => {
      const stint = this.#stints.get(userId);
      if (!this.#isOver && stint !== undefined && isSame(stint))
        violation(
          `the typing of user ${userId} has not ended in time; the last notice came at ${stint.last}`,
        );
    });
  }

  #leave(): void {
    this.#inSight = null;
    this.#stints.clear();
  }
}
