import type { Catalogue } from '../../i18n/en.ts';
import { clockTime, fullTime } from '../../i18n/time.ts';

/** When the last reply was posted: the time of day for today, else the date. */
export function relativeDay(text: Catalogue, at: string): string {
  const time = Date.parse(at);
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return isToday ? clockTime(text, time) : fullTime(text, time);
}
