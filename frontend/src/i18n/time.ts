import type { Catalogue } from './en.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are expensive to create and few, so each is created once. */
function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let made = formats.get(key);
  if (made === undefined) {
    made = new Intl.DateTimeFormat(locale, options);
    formats.set(key, made);
  }
  return made;
}

/** The browser's own regional settings (12 or 24 hours) win over those of the interface language. */
function localeOf(text: Catalogue): string {
  const own = globalThis.navigator?.language;
  return own?.startsWith(text.locale) ? own : text.locale;
}

/** Whether the browser's region counts to 12 or to 24, where the interface has another language. */
function regionClock(text: Catalogue): Intl.DateTimeFormatOptions {
  const own = globalThis.navigator?.language;
  if (own === undefined || own.startsWith(text.locale)) return {};
  const { hourCycle } = format(own, { hour: 'numeric' }).resolvedOptions();
  return hourCycle === undefined ? {} : { hourCycle };
}

export function clockTime(text: Catalogue, at: number): string {
  return format(localeOf(text), { hour: 'numeric', minute: '2-digit', ...regionClock(text) }).format(at);
}

/** For a list: the time today, the weekday within a week, else the day. */
export function listTime(text: Catalogue, at: number, now: number): string {
  const daysAgo = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (daysAgo <= 0) return clockTime(text, at);
  if (daysAgo < 7) return format(localeOf(text), { weekday: 'short' }).format(at);
  return format(localeOf(text), { day: 'numeric', month: 'short' }).format(at);
}

export function fullTime(text: Catalogue, at: number): string {
  return format(localeOf(text), { dateStyle: 'full', timeStyle: 'medium', ...regionClock(text) }).format(at);
}

/** "Today", "Yesterday", "Monday 3 November"; with the year when it is another one. */
export function dayName(text: Catalogue, at: number, now: number): string {
  const daysAgo = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (daysAgo === 0) return text.room.today;
  if (daysAgo === 1) return text.room.yesterday;
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return format(localeOf(text), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(at);
}

/** "2 Dec", or as the region writes it; with the year when it is another one. */
export function shortDay(text: Catalogue, at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const year = sameYear ? {} : ({ year: 'numeric' } as const);
  return format(localeOf(text), { day: 'numeric', month: 'short', ...year }).format(at);
}

/** "November 2026". */
export function monthName(text: Catalogue, at: number): string {
  return format(localeOf(text), { month: 'long', year: 'numeric' }).format(at);
}

/** For what ends: the time today, else the day. Midnight belongs to the day before it. */
export function untilTime(text: Catalogue, at: number, now: number): string {
  const isToday = startOfDay(at - 1) === startOfDay(now);
  return isToday && startOfDay(at) !== at ? clockTime(text, at) : shortDay(text, at - 1, now);
}

/** Local midnight. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** The time now in a zone; empty where the browser does not know the zone. */
export function clockIn(text: Catalogue, timeZone: string): string {
  try {
    const options = { hour: 'numeric', minute: '2-digit', timeZone, ...regionClock(text) } as const;
    return new Intl.DateTimeFormat(localeOf(text), options).format();
  } catch {
    return '';
  }
}
