/** Which rows of the volumes are proposed, and in what way they are asked for. */
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import type { AnyOf } from '../../../../protocol/search/tokens.ts';
import type { Proposal, Proposed } from '../search-index.ts';
import { matchOf } from './match-query.ts';

/**
 * More rooms than `usual` are not asked for in the index: for each of them FTS5 opens a list in each volume. Texts of
 * other rooms are passed over instead. Where most are of others, up to `most` rooms are asked for.
 */
const ROOMS_ASKED = { usual: 32, most: 400 };
/** Then so many rows are read at once, at first and at most. */
const READ = { first: 240, most: 2000 };
/** Most rows are of others if, of more than these, fewer than one of so many is not. */
const MOST_OF_OTHERS = { from: 1000, share: 1 / 50 };

/** So many words that others begin or end with are asked for, the longest: their lists are merged in each volume. */
const PREFIXES_MAX = 4;

export interface Volume {
  number: number;
  /** Of the ids of its messages. */
  first: number;
  last: number;
}

export interface Find {
  match: string;
  order: SearchOrder;
  beyond: number;
  most: number;
}

export interface Volumes {
  /** The newest first. */
  volumes: readonly Volume[];
  find(volume: Volume, what: Find): Proposed['messages'];
  /** It takes too long. */
  isOver(): boolean;
}

/** Goes through the volumes in the order of the proposal. */
export function proposeFrom(
  { roomIds, order, beyondId, limit, ...proposal }: Omit<Proposal, 'withinMs'>,
  { volumes, find, isOver }: Volumes,
): Proposed {
  const messages: Proposed['messages'] = [];
  const conditions = narrowest(proposal.conditions);
  const rooms = new Set(roomIds);
  const isAskable = conditions.length === 0 || rooms.size <= ROOMS_ASKED.most;
  let asked = conditions.length === 0 || rooms.size <= ROOMS_ASKED.usual ? roomIds : undefined;
  let match = matchOf(conditions, asked);
  const isNewest = order === 'newest';
  let beyond = beyondId;
  let [read, atOnce] = [0, READ.first];
  const all = isNewest ? volumes : volumes.toReversed();
  for (const volume of rooms.size === 0 ? [] : all) {
    const end = isNewest ? volume.first : volume.last;
    while (isNewest ? end < beyond : end > beyond) {
      if (isOver()) return { messages, nextBeyondId: beyond };
      const most = asked ? limit - messages.length : atOnce;
      const found = find(volume, { match, order, beyond, most });
      for (const message of found) {
        if (!rooms.has(message.roomId)) continue;
        messages.push(message);
        if (messages.length === limit) return { messages, nextBeyondId: message.messageId };
      }
      beyond = found.length < most ? end : (found.at(-1)?.messageId ?? end);
      read += found.length;
      atOnce = Math.min(2 * atOnce, READ.most);
      if (asked || !isAskable || read <= MOST_OF_OTHERS.from) continue;
      if (messages.length >= read * MOST_OF_OTHERS.share) continue;
      asked = roomIds;
      match = matchOf(conditions, asked);
    }
  }
  return { messages, nextBeyondId: null };
}

/** Others are left out, as what is proposed is judged by all of them. */
function narrowest(conditions: readonly AnyOf[]): AnyOf[] {
  const lengthOf = (anyOf: AnyOf) =>
    Math.max(...anyOf.map((one) => ('prefix' in one ? one.prefix.length : 0)));
  const prefixes = conditions.filter((anyOf) => lengthOf(anyOf) > 0);
  const longest = new Set(
    prefixes.toSorted((one, other) => lengthOf(other) - lengthOf(one)).slice(0, PREFIXES_MAX),
  );
  return conditions.filter((anyOf) => lengthOf(anyOf) === 0 || longest.has(anyOf));
}
