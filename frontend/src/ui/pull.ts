/**
 * A finger that pulls something, as a sheet towards the lower edge or a row towards the side. This is a state machine
 * without a browser; `follow-finger.ts` feeds it.
 */

export interface PullRules {
  readonly axis: 'x' | 'y';
  /** 1: to the right, or down. -1: to the left, or up. */
  readonly sign: 1 | -1;
  /** From here on, lifting the finger does it. */
  readonly farPx: number;
  /** What is pulled follows no farther. */
  readonly mostPx: number;
  /** A fling of this speed, in pixels per millisecond, does it before that. Null: only the distance counts. */
  readonly fling: number | null;
}

export interface Finger {
  readonly x: number;
  readonly y: number;
  /** In milliseconds. */
  readonly at: number;
}

export type Pull =
  /** It may still tap, hold, or scroll. */
  | { readonly phase: 'down'; readonly from: Finger }
  | {
      readonly phase: 'pulling';
      readonly from: Finger;
      /** The latest places of the finger, the last of them where it is now. */
      readonly trail: readonly Finger[];
      /** How far it is pulled, in pixels. */
      readonly by: number;
      /** Whether the distance alone is enough. */
      readonly isFar: boolean;
    }
  | { readonly phase: 'over'; readonly isDone: boolean };

/** A finger that has moved less is still. */
export const STILL_PX = 10;
/** A fling is at least this long: a tap that slips is none. */
export const FLING_PX = 24;
/** The speed is that of the last moment. */
const TRAIL_MS = 100;

export function putDown(from: Finger): Pull {
  return { phase: 'down', from };
}

/** A finger that first moves across, or the other way, pulls nothing until it is put down again. */
export function moveTo(pull: Pull, finger: Finger, rules: PullRules): Pull {
  if (pull.phase === 'over') return pull;
  const { along, across } = distance(pull.from, finger, rules);
  if (pull.phase === 'down') {
    if (Math.hypot(along, across) <= STILL_PX) return pull;
    if (along <= Math.abs(across)) return cancel();
  }
  const before = pull.phase === 'pulling' ? pull.trail : [];
  const trail = [...before.filter(({ at }) => at >= finger.at - TRAIL_MS), finger];
  const by = Math.max(0, Math.min(along - STILL_PX, rules.mostPx));
  return { phase: 'pulling', from: pull.from, trail, by, isFar: by >= rules.farPx };
}

/** The finger is lifted at this time. */
export function lift(pull: Pull, at: number, rules: PullRules): Pull {
  if (pull.phase === 'over') return pull;
  return { phase: 'over', isDone: pull.phase === 'pulling' && isEnough(pull, at, rules) };
}

/** The browser has taken the finger for something else, or a second one was put down. */
export function cancel(): Pull {
  return { phase: 'over', isDone: false };
}

function isEnough(
  { trail, by, isFar }: Extract<Pull, { phase: 'pulling' }>,
  at: number,
  rules: PullRules,
): boolean {
  if (rules.fling === null) return isFar;
  const speed = speedOf(trail, at, rules);
  // Flung back, it returns from any distance.
  if (speed <= -rules.fling) return false;
  return isFar || (speed >= rules.fling && by >= FLING_PX);
}

function speedOf(trail: readonly Finger[], at: number, rules: PullRules): number {
  const [first, last] = [trail[0], trail.at(-1)];
  // A finger that has rested before it is lifted has no speed.
  if (first === undefined || last === undefined || at - last.at > TRAIL_MS) return 0;
  return last.at === first.at ? 0 : distance(first, last, rules).along / (last.at - first.at);
}

function distance(from: Finger, to: Finger, { axis, sign }: PullRules): { along: number; across: number } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return axis === 'x' ? { along: dx * sign, across: dy } : { along: dy * sign, across: dx };
}
