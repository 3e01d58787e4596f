/** Queries by chance, about what is there: words of the messages in every form, and filters with values that exist. */
import type { Random } from '../random.ts';
import { readNaively } from './naive-query.ts';
import type { SearchMessage, SearchPerson } from './naive-search.ts';
import type { SearchStage } from './stage.ts';
import type { SearchAsked } from './walk.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
/** A zone in which it is about noon when the test begins, so that no day ends during it. */
const AT_NOON = zoneAtNoon();
const LIMITS = [1, 2, 3, 7, 20, 50];
/** More results than these are read in large pages. */
const FEW = 40;

/** One query that asks for something. */
export function drawQuery(random: Random, { people, messages, rooms }: SearchStage): SearchAsked {
  const draw = new Draw(random);
  for (;;) {
    const message = draw.one(messages);
    const items = Array.from({ length: draw.weighted([0, 1, 1, 1, 2, 2, 3]) }, () =>
      termOf(draw, draw.chance(0.7) ? message : draw.one(messages)),
    );
    const isToday = draw.chance(0.1);
    const timeZone = isToday ? AT_NOON : draw.one(ZONES);
    const filters = items.length === 0 ? 1 + draw.weighted([0, 1, 1]) : draw.weighted([0, 0, 0, 1, 1, 2]);
    for (let count = 0; count < filters; count++)
      items.push(
        filterOf(draw, { message, people, rooms: rooms.map(({ name }) => name), timeZone, isToday }),
      );
    const typed = items.join(' ');
    const query = readNaively(typed);
    if (query.terms.length + query.filters.length > 0)
      return {
        ...{ reader: draw.one(people), typed, timeZone, limit: draw.one(LIMITS) },
        isOldestFirst: draw.chance(0.25),
      };
  }
}

/** A page size that does not take hundreds of pages. */
export function fitting(asked: SearchAsked, results: number): SearchAsked {
  return results <= FEW ? asked : { ...asked, limit: Math.max(asked.limit, 20) };
}

class Draw {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  between(min: number, max: number): number {
    return this.#random.integer(min, Math.max(min, max));
  }

  weighted(numbers: readonly number[]): number {
    return this.one(numbers);
  }

  one<T>(all: readonly T[]): T {
    const found = all[this.#random.integer(0, all.length - 1)];
    if (found === undefined) throw new Error('there is nothing to draw from');
    return found;
  }
}

/** A word of the message, or some, in a form that people type. */
function termOf(draw: Draw, { content, files }: SearchMessage): string {
  const text = [content, ...files.flatMap(({ name, alt }) => [name, alt])].join(' ');
  const words = text.split(/[\s"]+/u).filter((word) => word !== '');
  const at = draw.between(0, words.length - 1);
  const word = words[at] ?? 'nothing';
  const minus = draw.chance(0.15) ? '-' : '';
  const kind = draw.between(1, 10);
  if (kind <= 2) return `${minus}"${words.slice(at, at + draw.between(1, 3)).join(' ')}"`;
  if (kind === 3) return minus + words.slice(at, at + 2).join('-');
  return minus + formOf(draw, word);
}

function formOf(draw: Draw, word: string): string {
  const characters = [...word];
  // Some characters of a text without spaces.
  if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}]|[\u3041-\u30FF\uFF66-\uFF9F]/u.test(word)) {
    const from = draw.between(0, characters.length - 1);
    return characters.slice(from, from + draw.between(1, 4)).join('');
  }
  switch (draw.between(1, 8)) {
    case 1:
      return characters.slice(0, draw.between(1, characters.length)).join('');
    case 2:
      return characters.slice(-draw.between(1, characters.length)).join('');
    case 3:
      return word.toUpperCase();
    case 4:
      return word
        .normalize('NFD')
        .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '');
    case 5:
      return word.replace(/(?:ing|ed|s)?[.,!?]?$/u, draw.one(['', 's', 'ing', 'ed']));
    case 6:
      return word.normalize('NFD');
    default:
      return word;
  }
}

interface Around {
  message: SearchMessage;
  people: readonly SearchPerson[];
  rooms: readonly string[];
  timeZone: string;
  /** Days are today and yesterday. */
  isToday: boolean;
}

function filterOf(draw: Draw, { message, people, rooms, timeZone, isToday }: Around): string {
  const minus = draw.chance(0.2) ? '-' : '';
  const person = draw.one([message.author.name, draw.one(people).name]);
  const name = isToday ? 'day' : draw.one(['from', 'in', 'in', 'with', 'day', 'has', 'is']);
  switch (name) {
    case 'from':
      return `${minus}from:${draw.one([person, `@${person}`, 'me', 'nobody'])}`;
    case 'in': {
      const room = draw.one([message.room.name, draw.one(rooms)]);
      return `${minus}in:${room === '' ? `@${person}` : draw.one([`"${room}"`, 'all', `"#${room}"`, 'nowhere'])}`;
    }
    case 'with':
      return `${minus}with:${person}`;
    case 'day': {
      const day = new Date(message.at).toLocaleDateString('sv-SE', { timeZone });
      const value = isToday ? draw.one(['today', 'yesterday']) : day.slice(0, draw.one([4, 7, 10, 10]));
      return `${minus}${draw.one(['before', 'after', 'on'])}:${value}`;
    }
    case 'has':
      return `${minus}has:${draw.one(['file', 'picture', 'video', 'sound', 'link', 'reaction'])}`;
    default:
      return `${minus}is:${draw.one(['thread', 'pinned', 'saved', 'edited'])}`;
  }
}

function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The signs of these names are the other way around.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
