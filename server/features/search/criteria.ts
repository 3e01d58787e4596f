/** What a query asks for: what the index is asked, and what is asked of each message that it proposes. */
import { AppError } from '../../../protocol/errors.ts';
import { SEARCH_TERMS_MAX } from '../../../protocol/limits.ts';
import type { FileFamily } from '../../../protocol/rest/files.ts';
import { type Span, spanOf } from '../../../protocol/search/days.ts';
import { type Filter, parseQuery, type Query, type Term } from '../../../protocol/search/query.ts';
import { type AnyOf, conditionsOf, type Stems } from '../../../protocol/search/tokens.ts';
import { nameKey } from '../../../protocol/text.ts';
import { dayMarksWithin, marks } from '../../data/search/marks.ts';
import type { FoundRow, SearchScope } from '../../data/storage/store.ts';
import { traitsOf } from './entry.ts';

/** A query that was read, with what has to be looked up for it. */
export interface Asked extends Query {
  /** Keys. */
  usernames: string[];
  roomNames: string[];
  withPublic: boolean;
}

export interface Criteria {
  terms: readonly Term[];
  conditions: AnyOf[];
  /** All messages that are found are in these. */
  roomIds: number[];
  /** All of them are bookmarks of the reader. */
  isOfSaved: boolean;
  /** Other forms of a word are looked for, too. */
  isOfStems: boolean;
  /** Whether the filters let it through. */
  accepts(row: FoundRow): boolean;
}

/** `in:all` also finds what is in public rooms of which one is no member. */
const ALL = 'all';
const ME = 'me';

/** Throws `invalid_query` for a query without anything to look for, and for one with too much. */
export function readQuery(typed: string): Asked {
  const query = parseQuery(typed);
  const count = query.terms.reduce((sum, { words }) => sum + words.length, query.filters.length);
  const terms = query.terms.length + query.filters.length;
  if (terms === 0 || terms > SEARCH_TERMS_MAX || count > WORDS_MAX) throw new AppError('invalid_query');
  const named = (...names: Filter['name'][]) =>
    query.filters.filter(({ name }) => names.includes(name)).map(({ value }) => value);
  const rooms = named('in');
  const people = [...named('from', 'with'), ...rooms.filter((value) => value.startsWith('@'))];
  return {
    ...query,
    usernames: [...new Set(people.map(personKey))].filter((key) => key !== ME),
    roomNames: [...new Set(rooms.filter((value) => !value.startsWith('@')).map(roomKey))],
    withPublic: rooms.some((value) => value.toLowerCase() === ALL),
  };
}

/** Words of all terms together: a Chinese sentence is one term of many. */
const WORDS_MAX = 256;

export interface CriteriaParts {
  scope: SearchScope;
  userId: number;
  stems: Stems;
  timeZone: string;
  now: number;
}

/** Throws `invalid_query` for a day that is none. */
export function criteriaOf(asked: Asked, parts: CriteriaParts): Criteria {
  const { stems, scope } = parts;
  const authors = filtersOf(asked, 'from').map((filter) => ({
    ...filter,
    id: personOf(filter.value, parts),
  }));
  const places = filtersOf(asked, 'in', 'with').map((filter) => ({
    ...filter,
    ids: new Set(roomsOf(filter, scope)),
  }));
  const days = filtersOf(asked, 'before', 'after', 'on').map((filter) => ({
    ...filter,
    span: timesOf(filter, parts),
  }));
  const traits = filtersOf(asked, 'has', 'is').map((filter) => ({
    ...filter,
    value: filter.value.toLowerCase(),
  }));
  const wanted = authors.filter(({ isExcluded }) => !isExcluded);
  const isOfSaved = traits.some(({ value, isExcluded }) => value === 'saved' && !isExcluded);
  const span = days.filter(({ isExcluded }) => !isExcluded).reduce((all, day) => both(all, day.span), EVER);
  const written = dayMarksWithin(both(span, { from: 0, to: parts.now + LATEST_MS }));
  return {
    terms: asked.terms,
    conditions: [
      ...asked.terms.filter(({ isExcluded }) => !isExcluded).flatMap((term) => conditionsOf(term, stems)),
      ...anyOf(wanted.map(({ id }) => marks.author(id))),
      ...(span === EVER ? [] : anyOf(written)),
      ...traits.flatMap(({ value, isExcluded }): AnyOf[] => {
        const mark = isExcluded ? undefined : MARKS[value];
        return mark === undefined ? [] : anyOf([mark]);
      }),
    ],
    roomIds: written.length === 0 ? [] : roomsWithin(scope, places),
    isOfSaved,
    isOfStems: asked.terms.some(({ words }) => words.some(({ isLoose }) => isLoose)),
    accepts(row) {
      const { message } = row;
      if (wanted.length > 0 && !wanted.some(({ id }) => id === message.userId)) return false;
      if (authors.some(({ isExcluded, id }) => isExcluded && id === message.userId)) return false;
      if (days.some(({ span, isExcluded }) => isWithin(span, message.createdAt) === isExcluded)) return false;
      return traits.every(({ value, isExcluded }) => hasTrait(row, value) !== isExcluded);
    },
  };
}

/** Clocks of processes may differ, and no message is later than this. */
const LATEST_MS = 2 * 86_400_000;
const EVER: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
/** No user has it. */
const NOBODY = 0;

const MARKS: Readonly<Record<string, string>> = {
  file: marks.file,
  picture: marks.family('picture'),
  video: marks.family('video'),
  sound: marks.family('sound'),
  link: marks.link,
  reaction: marks.reaction,
  edited: marks.edited,
  pinned: marks.pinned,
  thread: marks.thread,
};

function hasTrait({ message, isSaved }: FoundRow, value: string): boolean {
  const traits = traitsOf(message);
  if (value === 'saved') return isSaved;
  if (value === 'file') return traits.hasFile;
  if (value === 'link') return traits.hasLink;
  if (value === 'reaction') return traits.hasReaction;
  if (value === 'edited') return traits.isEdited;
  if (value === 'pinned') return traits.isPinned;
  if (value === 'thread') return traits.isInThread;
  return traits.families.has(value as FileFamily);
}

function filtersOf({ filters }: Query, ...names: Filter['name'][]): Filter[] {
  return filters.filter(({ name }) => names.includes(name));
}

function personKey(value: string): string {
  return nameKey(value.replace(/^@/, ''));
}

function roomKey(value: string): string {
  return nameKey(value.replace(/^#/, ''));
}

function personOf(value: string, { scope, userId }: CriteriaParts): number {
  const key = personKey(value);
  if (key === ME) return userId;
  return scope.people.find(({ usernameKey }) => usernameKey === key)?.userId ?? NOBODY;
}

/** The rooms that a filter names. */
function roomsOf({ name, value }: Filter, scope: SearchScope): number[] {
  if (name === 'with' || value.startsWith('@')) {
    const key = personKey(value);
    return scope.people.filter(({ usernameKey }) => usernameKey === key).flatMap(({ dmIds }) => dmIds);
  }
  if (value.toLowerCase() === ALL) return scope.rooms.map(({ roomId }) => roomId);
  const key = roomKey(value);
  return scope.rooms
    .filter((room) => room.name !== '' && nameKey(room.name) === key)
    .map(({ roomId }) => roomId);
}

function roomsWithin(
  scope: SearchScope,
  places: readonly (Filter & { ids: ReadonlySet<number> })[],
): number[] {
  const ins = places.filter(({ name, isExcluded }) => name === 'in' && !isExcluded);
  const asked = new Set(ins.flatMap(({ ids }) => [...ids]));
  const others = places.filter(({ name, isExcluded }) => name === 'with' || isExcluded);
  const mine = scope.rooms.filter(({ roomId, isMember }) => (ins.length > 0 ? asked.has(roomId) : isMember));
  return mine
    .map(({ roomId }) => roomId)
    .filter((roomId) => others.every(({ ids, isExcluded }) => ids.has(roomId) !== isExcluded));
}

function timesOf({ name, value }: Filter, { timeZone, now }: CriteriaParts): Span {
  const span = spanOf(value, timeZone, now);
  if (span === null) throw new AppError('invalid_query');
  if (name === 'before') return { ...EVER, to: span.from };
  return name === 'after' ? { ...EVER, from: span.to } : span;
}

function both(one: Span, other: Span): Span {
  return { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
}

function anyOf([first, ...others]: readonly string[]): AnyOf[] {
  return first === undefined ? [] : [[{ token: first }, ...others.map((token) => ({ token }))]];
}

function isWithin({ from, to }: Span, at: number): boolean {
  return at >= from && at < to;
}
