/** Which rows of the volumes are proposed, and in what way they are asked for. */
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import { rarest, withoutShort } from '../narrow.ts';
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

/**
 * Ids between two places at which the next page may begin, where time was over among texts of others: the id of such a
 * text would tell that it has the words.
 */
const STEP = 1024;

/** The newest texts with a condition that tell how rare it is. */
const SAMPLE = 32;

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
  /** The id of the text of this place among those that match, from the newest. Undefined: there are not so many. */
  newest(volume: Volume, match: string, place: number): number | undefined;
  /** It takes too long. */
  isOver(): boolean;
}

/** Goes through the volumes in the order of the proposal. */
export function proposeFrom(
  { roomIds, order, beyondId, limit, ...proposal }: Omit<Proposal, 'withinMs'>,
  { volumes, find, newest, isOver }: Volumes,
): Proposed {
  const messages: Proposed['messages'] = [];
  // The newest of all may have a few texts only.
  const [latest, sample = latest] = volumes;
  // The rarer it is, the older is the last one of some of the newest texts that have it.
  const conditions = rarest(withoutShort(proposal.conditions), (anyOf) =>
    sample === undefined ? 0 : (newest(sample, matchOf([anyOf], undefined), SAMPLE) ?? sample.first),
  );
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
      const stop = stopAt(beyond, order);
      const isOn = beyond === beyondId || (isNewest ? stop < beyondId : stop > beyondId);
      if (isOn && isOver()) return upTo(beyond === beyondId ? beyondId : stop, messages, order);
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

/** The place of the last step up to this id, in the order. */
function stopAt(id: number, order: SearchOrder): number {
  if (order === 'newest') return Math.ceil(id / STEP) * STEP;
  return Math.floor((id + 1) / STEP) * STEP - 1;
}

/** What was found up to this place, in the order. The rest comes with the next page. */
function upTo(place: number, messages: Proposed['messages'], order: SearchOrder): Proposed {
  const isNewest = order === 'newest';
  const isIn = (id: number) => (isNewest ? id >= place : id <= place);
  return { messages: messages.filter(({ messageId }) => isIn(messageId)), nextBeyondId: place };
}
