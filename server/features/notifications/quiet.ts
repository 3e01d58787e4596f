/** Do not disturb: whether a user wants no notifications now. */
import type { Quiet } from '../../../protocol/notifications.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MINUTES_A_DAY = 1440;
/** Formatters are expensive to make. Names of time zones are few, and were validated when they were stored. */
const MAX_FORMATTERS = 600;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** `now`: Unix milliseconds. Without a time zone of their own, a user's hours are those of UTC. */
export function isQuiet(quiet: Quiet | undefined, timeZone: string | null, now: number): boolean {
  if (!quiet) return false;
  if (quiet.until !== undefined && Date.parse(quiet.until) > now) return true;
  if (!quiet.hours?.length) return false;
  const { day, minute } = clockOf(timeZone ?? 'UTC', now);
  return quiet.hours.some((hours) => {
    const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
    if (from < to) return day === hours.day && minute >= from && minute < to;
    const isEve = day === hours.day && minute >= from;
    return isEve || (day === (hours.day + 1) % DAYS.length && minute < to);
  });
}

function clockOf(timeZone: string, now: number): { day: number; minute: number } {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    formatter = new Intl.DateTimeFormat('en-US', { timeZone, ...parts });
    formatters.set(timeZone, formatter);
  }
  const parts = new Map(formatter.formatToParts(now).map(({ type, value }) => [type, value]));
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  return { day: DAYS.indexOf(parts.get('weekday') ?? ''), minute: minute % MINUTES_A_DAY };
}

function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}
