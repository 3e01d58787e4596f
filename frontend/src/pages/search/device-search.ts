/** Finds messages among those that are on this device, as the server would: with the same words and filters. */
import type { Message, RoomInfo } from '../../../../client/index.ts';
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import { type Span, spanOf } from '../../../../protocol/search/days.ts';
import { findTerms } from '../../../../protocol/search/match.ts';
import { type Filter, parseQuery } from '../../../../protocol/search/query.ts';
import { familyOf, hasLink } from '../../../../protocol/search/traits.ts';
import { nameKey } from '../../../../protocol/text.ts';
import { isBefore, type Result } from './search-state.ts';

export interface OnDevice {
  readonly messages: readonly Message[];
  /** Those that the user may read. */
  readonly rooms: readonly RoomInfo[];
  /** Those that the user is in: the others are looked in only where `in:` names them. */
  readonly ownIds: ReadonlySet<number>;
  readonly savedIds: ReadonlySet<number>;
  readonly blocked: ReadonlySet<number>;
  readonly me: { readonly id: number; readonly username: string };
  readonly order: SearchOrder;
  readonly timeZone: string;
  readonly now: number;
}

/** As many are shown. */
const MOST = 200;
/** The device has no list of forms of words. */
const NO_STEMS = () => [];

/** In the order that is asked for. */
export function searchDevice(query: string, device: OnDevice): readonly Result[] {
  const { terms, filters } = parseQuery(query);
  if (terms.length + filters.length === 0) return [];
  const accepts = judge(filters, device);
  const found: Result[] = [];
  const { messages, order } = device;
  for (const message of [...messages].sort((a, b) => (isBefore(order, a.id, b.id) ? -1 : 1))) {
    if (found.length === MOST) break;
    if (message.notice !== undefined || message.deleted_at !== undefined) continue;
    if (device.blocked.has(message.user_id) || !accepts(message)) continue;
    const files = message.files ?? [];
    const texts = [message.content, ...files.flatMap(({ name, alt = '' }) => [name, alt])];
    const hits = findTerms(texts, terms, NO_STEMS);
    if (hits !== null) found.push(resultOf(message, hits));
  }
  return found;
}

function resultOf(
  message: Message,
  [own = [], ...ofFiles]: readonly (readonly (readonly [number, number])[])[],
): Result {
  const pairs = (hits: readonly (readonly [number, number])[] = []) =>
    hits.map(([from, to]): [number, number] => [from, to]);
  const fileHits = (message.files ?? [])
    .map(({ key }, place) => ({ key, name: pairs(ofFiles[2 * place]), alt: pairs(ofFiles[2 * place + 1]) }))
    .filter(({ name, alt }) => name.length + alt.length > 0);
  return { message, hits: pairs(own), ...(fileHits.length > 0 && { file_hits: fileHits }) };
}

/** Whether the filters let a message through: of several authors, and of several rooms, one; of the others, all. */
function judge(filters: readonly Filter[], device: OnDevice): (message: Message) => boolean {
  const tests = filters.map((filter) => ({ filter, holds: testOf(filter, device) }));
  const anyOf = (['from', 'in'] as const).map((name) =>
    tests.filter(({ filter }) => filter.name === name && !filter.isExcluded),
  );
  const allOf = tests.filter(
    ({ filter: { name, isExcluded } }) => isExcluded || (name !== 'from' && name !== 'in'),
  );
  const isNamed = filters.some(({ name, isExcluded }) => name === 'in' && !isExcluded);
  return (message) =>
    (isNamed || device.ownIds.has(message.room_id)) &&
    anyOf.every((some) => some.length === 0 || some.some(({ holds }) => holds(message))) &&
    allOf.every(({ filter, holds }) => holds(message) !== filter.isExcluded);
}

function testOf({ name, value }: Filter, device: OnDevice): (message: Message) => boolean {
  switch (name) {
    case 'from': {
      const key = personKey(value);
      return ({ user_id: id, username }) => (key === 'me' ? id === device.me.id : nameKey(username) === key);
    }
    case 'in':
    case 'with': {
      const ids = new Set(device.rooms.filter((room) => isRoom(room, name, value)).map(({ id }) => id));
      return ({ room_id: id }) => ids.has(id);
    }
    case 'has':
      return (message) => has(message, value.toLowerCase());
    case 'is':
      return (message) => is(message, value.toLowerCase(), device);
    default: {
      const span = timesOf(name, value, device);
      return ({ created_at: at }) => span !== null && isWithin(span, Date.parse(at));
    }
  }
}

function isRoom(room: RoomInfo, name: 'in' | 'with', value: string): boolean {
  if (name === 'with' || value.startsWith('@')) {
    const key = personKey(value);
    return room.kind === 'dm' && (room.people ?? []).some(({ username }) => nameKey(username) === key);
  }
  if (value.toLowerCase() === 'all') return true;
  return room.kind !== 'dm' && nameKey(room.name) === nameKey(value.replace(/^#/, ''));
}

function personKey(value: string): string {
  return nameKey(value.replace(/^@/, ''));
}

function has({ content, files = [], reactions = [] }: Message, value: string): boolean {
  if (value === 'file') return files.length > 0;
  if (value === 'link') return hasLink(content);
  if (value === 'reaction') return reactions.length > 0;
  return files.some(({ type }) => familyOf(type) === value);
}

function is(message: Message, value: string, { savedIds }: OnDevice): boolean {
  if (value === 'saved') return savedIds.has(message.id);
  if (value === 'pinned') return message.pinned_at !== undefined;
  if (value === 'edited') return (message.revision ?? 0) > 0;
  return message.thread_id !== undefined || (message.thread?.replies ?? 0) > 0;
}

function timesOf(name: Filter['name'], value: string, { timeZone, now }: OnDevice): Span | null {
  const span = spanOf(value, timeZone, now);
  if (span === null) return null;
  if (name === 'before') return { from: Number.NEGATIVE_INFINITY, to: span.from };
  return name === 'after' ? { from: span.to, to: Number.POSITIVE_INFINITY } : span;
}

function isWithin({ from, to }: Span, at: number): boolean {
  return at >= from && at < to;
}
