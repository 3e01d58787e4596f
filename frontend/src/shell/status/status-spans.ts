/** How long a status lasts, and those that are offered. */

/** `kept`: it ends when it was to end before. */
export const SPANS = ['never', 'half_hour', 'hour', 'four_hours', 'today', 'week', 'kept'] as const;
export type Span = (typeof SPANS)[number];

const MINUTE_MS = 60_000;

/** When a status of this length ends; undefined: never. Days and weeks end with the local day and the local Sunday. */
export function endOf(span: Span, now: Date, kept?: string): string | undefined {
  switch (span) {
    case 'never':
      return undefined;
    case 'half_hour':
      return later(now, 30);
    case 'hour':
      return later(now, 60);
    case 'four_hours':
      return later(now, 240);
    case 'today':
      return midnightIn(now, 1);
    case 'week':
      // 0 is Sunday, which is the last day.
      return midnightIn(now, now.getDay() === 0 ? 1 : 8 - now.getDay());
    case 'kept':
      return kept;
  }
}

function later(now: Date, minutes: number): string {
  return new Date(now.getTime() + minutes * MINUTE_MS).toISOString();
}

/** The local midnight at which a day begins: 1 is tomorrow. ISO 8601, in UTC. */
function midnightIn(now: Date, days: number): string {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(0, 0, 0, 0);
  return at.toISOString();
}

/** A status that is set with one press. Its words are the user's from then on, in their language. */
export interface Preset {
  readonly name: 'meeting' | 'commuting' | 'sick' | 'holiday' | 'home';
  readonly emoji: string;
  readonly span: Exclude<Span, 'kept'>;
}

export const PRESETS: readonly Preset[] = [
  { name: 'meeting', emoji: '🗓️', span: 'hour' },
  { name: 'commuting', emoji: '🚆', span: 'half_hour' },
  { name: 'sick', emoji: '🤒', span: 'today' },
  { name: 'holiday', emoji: '🌴', span: 'week' },
  { name: 'home', emoji: '🏡', span: 'today' },
];
