/** What the field of the search offers while a filter is typed. */
import type { RoomInfo } from '../../../../client/index.ts';
import type { Profile } from '../../../../protocol/people.ts';
import { isFoundBy } from '../../../../protocol/search/names.ts';

export interface Option {
  /** The value of the filter. */
  readonly value: string;
  readonly label: string;
  /** Beside the label. */
  readonly note?: string;
  readonly face?:
    | { readonly kind: 'person'; readonly id: number; readonly username: string }
    | { readonly kind: 'room'; readonly room: RoomInfo };
}

/** The most options that are offered. */
export const MOST_OPTIONS = 8;

/** People whom something is typed for. `me`: what the user is offered as, first. */
export function peopleOptions(
  people: readonly Profile[],
  typed: string,
  me: { readonly id: number; readonly username: string; readonly label: string } | null,
): readonly Option[] {
  const own: Option[] =
    me !== null && (isFoundBy(me.username, typed) || isFoundBy(me.label, typed) || 'me'.startsWith(typed))
      ? [{ value: 'me', label: me.label, face: { kind: 'person', id: me.id, username: me.username } }]
      : [];
  const others = people.map(({ id, username, display_name: name }): Option => {
    const face = { kind: 'person', id, username } as const;
    return name === '' || name === username
      ? { value: username, label: username, face }
      : { value: username, label: name, note: username, face };
  });
  return [...own, ...others].slice(0, MOST_OPTIONS);
}

/**
 * Whom a filter can have before a letter is typed: the people `talkedTo`, and `withOthers` then all others who are known,
 * by name. Accounts that were removed are not offered.
 */
export function knownPeople(
  profiles: ReadonlyMap<number, Profile>,
  talkedTo: readonly number[],
  { withOthers, myId }: { readonly withOthers: boolean; readonly myId: number | undefined },
): readonly Profile[] {
  const nameOf = ({ display_name: name, username }: Profile) => name || username;
  const others = withOthers
    ? [...profiles.values()].sort((a, b) => nameOf(a).localeCompare(nameOf(b))).map(({ id }) => id)
    : [];
  return [...new Set([...talkedTo, ...others])]
    .flatMap((id) => profiles.get(id) ?? [])
    .filter(({ id, kind }) => id !== myId && kind !== 'removed');
}

/** Rooms whose name something is typed for: the one that is open first. `all`: what stands for all of them. */
export function roomOptions(
  rooms: readonly RoomInfo[],
  typed: string,
  currentId: number | null,
  all: { readonly label: string; readonly note: string },
): readonly Option[] {
  const wanted = typed.replace(/^#/, '');
  const found = rooms.filter(
    ({ kind, name, people }) =>
      name !== '' && (kind !== 'dm' || people?.length === 1) && (wanted === '' || isFoundBy(name, wanted)),
  );
  const place = ({ id }: RoomInfo) => (id === currentId ? 0 : 1);
  const options = [...found]
    .sort((a, b) => place(a) - place(b))
    .map((room): Option => {
      const person = room.kind === 'dm' ? room.people?.[0] : undefined;
      if (person === undefined) return { value: room.name, label: room.name, face: { kind: 'room', room } };
      const face = { kind: 'person', id: person.user_id, username: person.username } as const;
      return { value: `@${person.username}`, label: room.name, face };
    });
  const everywhere = isFoundBy(all.label, wanted) || 'all'.startsWith(wanted.toLowerCase());
  const shown = options.slice(0, everywhere ? MOST_OPTIONS - 1 : MOST_OPTIONS);
  return everywhere ? [...shown, { value: 'all', ...all }] : shown;
}

/** Of the values of a filter, those whose name or label begins so. */
export function valueOptions(labels: Readonly<Record<string, string>>, typed: string): readonly Option[] {
  const start = typed.toLowerCase();
  return Object.entries(labels)
    .filter(([value, label]) => value.startsWith(start) || isFoundBy(label, typed))
    .map(([value, label]) => ({ value, label }));
}

interface DayTexts {
  readonly today: string;
  readonly yesterday: string;
  /** A day, a month or a year, as the filter has it. */
  readonly nameOf: (value: string) => string;
}

/** Days that are often meant, and the day, month or year that is typed. */
export function dayOptions(
  typed: string,
  now: Date,
  { today, yesterday, nameOf }: DayTexts,
): readonly Option[] {
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const month = (ago: number) => isoDay(new Date(now.getFullYear(), now.getMonth() - ago, 1)).slice(0, 7);
  const year = now.getFullYear();
  const usual: Option[] = [
    { value: 'today', label: today },
    { value: 'yesterday', label: yesterday },
    ...[isoDay(daysAgo(7)), month(0), month(1), String(year), String(year - 1)].map((value) => ({
      value,
      label: nameOf(value),
      ...(nameOf(value) !== value && { note: value }),
    })),
  ];
  const start = typed.toLowerCase();
  const found = usual.filter(({ value, label }) => value.startsWith(start) || isFoundBy(label, typed));
  const isDay = isDayValue(typed) && !found.some(({ value }) => value === typed);
  return isDay ? [{ value: typed, label: nameOf(typed), note: typed }, ...found] : found;
}

/** The local day, as a filter has it. */
export function isoDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Whether it is a day, a month or a year that there is. */
export function isDayValue(value: string): boolean {
  const [found, year, month = '1', day = '1'] = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(value) ?? [];
  if (found === undefined || Number(year) < 1970) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
