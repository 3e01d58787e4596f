/**
 * The oracle of the search: a scan of all messages, written from docs/PROTOCOL.md ("Search") and docs/decisions/0112. It
 * shares no line with the search, and is slow.
 */
import { createRequire } from 'node:module';
import { type NaiveFilter, type NaiveQuery, type NaiveTerm, readNaively } from './naive-query.ts';
import { type NaiveWord, naiveForm, naiveWords } from './naive-words.ts';

export interface SearchPerson {
  name: string;
  blocked: Set<SearchPerson>;
}

export interface SearchRoom {
  /** Empty: a direct conversation. */
  name: string;
  kind: 'public' | 'private' | 'dm';
  members: Set<SearchPerson>;
}

export interface SearchFile {
  name: string;
  alt: string;
  kind: 'picture' | 'video' | 'sound' | 'other';
}

export interface SearchMessage {
  /** Its place in the order of all messages. */
  key: number;
  room: SearchRoom;
  author: SearchPerson;
  content: string;
  files: SearchFile[];
  /** Unix milliseconds. */
  at: number;
  isDeleted: boolean;
  isEdited: boolean;
  isPinned: boolean;
  reactions: Set<string>;
  savedBy: Set<SearchPerson>;
  /** Of the thread that it is a reply in. */
  root: SearchMessage | null;
  /** Replies of its own thread that are not deleted. */
  replies: number;
}

export interface NaiveSearch {
  messages: readonly SearchMessage[];
  reader: SearchPerson;
  typed: string;
  timeZone: string;
  now: number;
}

/** The keys of all messages that the reader must find, the newest first. */
export function searchNaively({ messages, reader, typed, timeZone, now }: NaiveSearch): number[] {
  const query = readNaively(typed);
  return messages
    .filter((message) => {
      const { room, author, isDeleted } = message;
      if (isDeleted || reader.blocked.has(author) || !isInReach(room, query, reader)) return false;
      return (
        passes(message, query, { reader, timeZone, now }) &&
        query.terms.every((term) => isIn(message, term) !== term.isExcluded)
      );
    })
    .map(({ key }) => key)
    .sort((one, other) => other - one);
}

/** Rooms that one is in; with `in:`, those that are named, also public ones that one is not in. */
function isInReach(room: SearchRoom, { filters }: NaiveQuery, reader: SearchPerson): boolean {
  const isMember = room.members.has(reader);
  if (!isMember && room.kind !== 'public') return false;
  const named = filters.filter(({ name }) => name === 'in');
  const wanted = named.filter(({ isExcluded }) => !isExcluded);
  const isThere = ({ value }: NaiveFilter): boolean => {
    if (value.startsWith('@')) return isTalkWith(room, value.slice(1));
    return value === 'all' || (room.name !== '' && room.name === value.replace(/^#/, ''));
  };
  if (named.some((filter) => filter.isExcluded && isThere(filter))) return false;
  if (wanted.length === 0 ? !isMember : !wanted.some(isThere)) return false;
  return filters
    .filter(({ name }) => name === 'with')
    .every(({ value, isExcluded }) => isTalkWith(room, value) !== isExcluded);
}

function isTalkWith({ kind, members }: SearchRoom, name: string): boolean {
  return kind === 'dm' && [...members].some((person) => person.name === name.replace(/^@/, ''));
}

interface Asking {
  reader: SearchPerson;
  timeZone: string;
  now: number;
}

function passes(message: SearchMessage, { filters }: NaiveQuery, asking: Asking): boolean {
  const isBy = ({ value }: NaiveFilter) =>
    message.author.name === (value === 'me' ? asking.reader.name : value.replace(/^@/, ''));
  const from = filters.filter(({ name }) => name === 'from');
  const wanted = from.filter(({ isExcluded }) => !isExcluded);
  if (wanted.length > 0 && !wanted.some(isBy)) return false;
  if (from.some((filter) => filter.isExcluded && isBy(filter))) return false;
  return filters
    .filter(({ name }) => !['from', 'in', 'with'].includes(name))
    .every(({ name, value, isExcluded }) => {
      const holds =
        name === 'has' || name === 'is'
          ? traitsOf(message, asking.reader).has(value)
          : isOn(name, value, message.at, asking);
      return holds !== isExcluded;
    });
}

function traitsOf(message: SearchMessage, reader: SearchPerson): Set<string> {
  const { content, files, reactions, root, replies, isPinned, savedBy, isEdited } = message;
  return new Set([
    ...(files.length > 0 ? ['file'] : []),
    ...files.map(({ kind }) => kind),
    ...(/(?:^|[^A-Za-z0-9_])https?:\/\/\S/i.test(content) ? ['link'] : []),
    ...(reactions.size > 0 ? ['reaction'] : []),
    ...(root !== null || replies > 0 ? ['thread'] : []),
    ...(isPinned ? ['pinned'] : []),
    ...(savedBy.has(reader) ? ['saved'] : []),
    ...(isEdited ? ['edited'] : []),
  ]);
}

/** By the names of days, such as 2026-11-28: they are in the order of time. */
function isOn(name: string, value: string, at: number, { timeZone, now }: Asking): boolean {
  const yesterday = new Date(`${dayOf(now, timeZone)}T00:00:00Z`);
  yesterday.setUTCDate(yesterday.getUTCDate() - 1);
  const wanted =
    value === 'today'
      ? dayOf(now, timeZone)
      : value === 'yesterday'
        ? yesterday.toISOString().slice(0, 10)
        : value;
  const day = dayOf(at, timeZone).slice(0, wanted.length);
  if (name === 'before') return day < wanted;
  return name === 'after' ? day > wanted : day === wanted;
}

function dayOf(at: number, timeZone: string): string {
  return new Date(at).toLocaleDateString('sv-SE', { timeZone });
}

/** In its text, or in the names and descriptions of its files; the words of one term are in one of them. */
function isIn({ content, files }: SearchMessage, term: NaiveTerm): boolean {
  return [content, ...files.flatMap(({ name, alt }) => [name, alt])].some((text) => has(wordsOf(text), term));
}

function has(words: readonly NaiveWord[], { words: wanted, isExact }: NaiveTerm): boolean {
  const follows = (index: number, at: number): boolean => {
    const sought = wanted[index];
    if (sought === undefined) return true;
    const isLoose = !isExact && index === wanted.length - 1;
    return words.some(
      (word) => word.at === at && isFound(word, sought, isLoose) && follows(index + 1, word.next),
    );
  };
  return [...new Set(words.map(({ at }) => at))].some((at) => follows(0, at));
}

function isFound(word: NaiveWord, sought: NaiveWord, isLoose: boolean): boolean {
  if (word.kind !== sought.kind) return false;
  if (word.form === sought.form) return true;
  if (!isLoose || word.kind !== 'word') return false;
  const letters = [...sought.form].length;
  if (letters >= 3 && word.form.startsWith(sought.form)) return true;
  if (letters >= 4 && [...word.form].length >= 9 && word.form.endsWith(sought.form)) return true;
  return stemOf(word.form) === stemOf(sought.form);
}

/** English, as the servers of the trial have it (SEARCH_LANGUAGES). The stemmer is Snowball's, and none of ours. */
const { stem: snowball } = (
  createRequire(import.meta.url)('snowball-stemmers') as {
    newStemmer(language: string): { stem(word: string): string };
  }
).newStemmer('english');
const stems = new Map<string, string>();

function stemOf(form: string): string {
  const known = stems.get(form) ?? naiveForm(snowball(form));
  stems.set(form, known);
  return known;
}

const known = new Map<string, NaiveWord[]>();

function wordsOf(text: string): NaiveWord[] {
  const words = known.get(text) ?? naiveWords(text);
  known.set(text, words);
  return words;
}
