/** Days of a time zone, as people write them in a query. */

export interface Span {
  /** Unix milliseconds; the end is not included. */
  from: number;
  to: number;
}

const DAY = /^(?:(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?|today|yesterday)$/;
const HOUR_MS = 3_600_000;

/**
 * `2026`, `2026-11`, `2026-11-28`, `today` or `yesterday` in this zone (IANA). Null: it is none of these, or no such day.
 */
export function spanOf(written: string, timeZone: string, now: number): Span | null {
  const text = written.toLowerCase();
  const [found, year, month, day] = DAY.exec(text) ?? [];
  if (found === undefined) return null;
  if (year === undefined) {
    const today = dayOf(now, timeZone);
    const first = text === 'today' ? today : { ...today, day: today.day - 1 };
    return between(first, { ...first, day: first.day + 1 }, timeZone);
  }
  const first = { year: Number(year), month: Number(month ?? 1), day: Number(day ?? 1) };
  if (!isDay(first)) return null;
  if (month === undefined) return between(first, { ...first, year: first.year + 1 }, timeZone);
  if (day === undefined) return between(first, { ...first, month: first.month + 1 }, timeZone);
  return between(first, { ...first, day: first.day + 1 }, timeZone);
}

/** Whether the name is one of the zones that are known here. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

interface Day {
  year: number;
  /** From 1. */
  month: number;
  day: number;
}

function isDay({ year, month, day }: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970;
}

function between(first: Day, behind: Day, timeZone: string): Span {
  return { from: startOf(first, timeZone), to: startOf(behind, timeZone) };
}

/** When the day begins there: the offset is that of the time which it leads to. */
function startOf({ year, month, day }: Day, timeZone: string): number {
  const utc = Date.UTC(year, month - 1, day);
  const guess = utc - offsetAt(utc, timeZone);
  return utc - offsetAt(guess, timeZone);
}

function dayOf(at: number, timeZone: string): Day {
  const there = new Date(at + offsetAt(at, timeZone));
  return { year: there.getUTCFullYear(), month: there.getUTCMonth() + 1, day: there.getUTCDate() };
}

/** What clocks there are ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const there = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  const whole = Math.floor(at / 1000) * 1000;
  // The calendar of the zone may be another one long ago.
  return Math.abs(there - whole) > 24 * HOUR_MS ? 0 : there - whole;
}
