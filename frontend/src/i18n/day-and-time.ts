import type { Catalogue } from './en.ts';
import { clockTime, shortDay } from './time.ts';

/** "19 Nov 10:23", for the rows of a narrow list; with the year when it is another one. */
export function dayAndTime(text: Catalogue, at: number, now = Date.now()): string {
  return `${shortDay(text, at, now)} ${clockTime(text, at)}`;
}
