/** Checks what one connection receives that no log has: who is there, and who types. */
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { Plan } from './plan.ts';
import { PresenceWitness, type PresenceWitnessOptions, presenceOf } from './presence-witness.ts';
import { mayShed, TypingWitness } from './typing-witness.ts';
import type { Whereabouts } from './whereabouts.ts';
import type { World } from './world.ts';

/** What is checked in a plan. */
export interface EphemeralChecks {
  /** How presence is checked; null: at the end alone. */
  presence: Pick<PresenceWitnessOptions, 'whereabouts' | 'busMs'> | null;
  /** How typing is checked; null: not at all. */
  typing: { reachesMs: number | null } | null;
}

/** A turn of the event loop, and rows that cross each other. */
const TURNS_MS = 300;

export function ephemeralChecksOf(plan: Plan, whereabouts: Whereabouts): EphemeralChecks {
  const { cluster, weather } = plan;
  const wayMs = 4 * (weather.latency.maxMs + (cluster?.redis.maxMs ?? 0)) + TURNS_MS;
  return {
    presence: presenceOf(plan, whereabouts),
    typing: mayShed(plan) ? null : { reachesMs: cluster?.isCalm === true ? wayMs : null },
  };
}

export class EphemeralWitness {
  readonly #presence: PresenceWitness | null;
  readonly #typing: TypingWitness | null;

  constructor(world: World, { presence, typing }: EphemeralChecks, violation: (text: string) => void) {
    const now = () => world.elapsedMs;
    this.#presence = presence && new PresenceWitness({ ...presence, now, violation });
    const after = (ms: number, run: () => void) => {
      world.schedule(world.beyond, 'check of typing', ms, run);
    };
    this.#typing = typing && new TypingWitness({ ...typing, now, after, violation });
  }

  sends(frame: ClientFrameV2): void {
    this.#presence?.sends(frame);
    this.#typing?.sends(frame);
  }

  hear(frame: ServerFrameV2): void {
    this.#presence?.hear(frame);
    this.#typing?.hear(frame);
  }

  /** The connection is broken, or the page has another one. */
  ends(): void {
    this.#typing?.ends();
  }

  checkEnd(): void {
    this.#typing?.checkEnd();
  }
}
