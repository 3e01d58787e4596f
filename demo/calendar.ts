/** When people talk: mostly in office hours, rarely at weekends, in the local time of this process. */
import type { Random } from './random.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The relative number of messages in each hour of a day. */
const HOURS = [0, 0, 0, 0, 0, 0, 1, 3, 8, 12, 12, 11, 9, 9, 11, 11, 10, 7, 4, 2, 2, 1, 1, 0];
const WEEKEND_SHARE = 0.12;

/** A likely start of a conversation within the last `days` before `now`. */
export function momentBefore(now: number, days: number, random: Random): number {
  for (;;) {
    const at = new Date(now - Math.floor(random.next() * days * DAY_MS));
    const isWeekend = at.getDay() === 0 || at.getDay() === 6;
    const weight = ((HOURS[at.getHours()] ?? 0) / 12) * (isWeekend ? WEEKEND_SHARE : 1);
    if (random.chance(weight)) return at.getTime();
  }
}

/** The delay between two lines: the time to read, to think, and to type. */
export function pauseBefore(content: string, random: Random): number {
  const typing = Math.min(content.length * 90, 3 * MINUTE_MS);
  const thinking = random.chance(0.08) ? random.integer(6, 25) * MINUTE_MS : random.integer(4, 70) * 1000;
  return typing + thinking;
}
