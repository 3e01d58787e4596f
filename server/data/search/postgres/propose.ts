/**
 * Which messages the index on PostgreSQL proposes for a query. It goes from volume to volume, and looks at the first
 * messages one by one. What they are like tells whether the index is to be asked, and for which of the conditions.
 */
import type { AnyOf } from '../../../../protocol/search/tokens.ts';
import type { Backend } from '../../storage/postgres/backend.ts';
import { all } from '../../storage/queries/steps.ts';
import type { MessagePlace } from '../../storage/store.ts';
import { rarest, withoutShort } from '../narrow.ts';
import type { Proposal, Proposed } from '../search-index.ts';
import {
  ONE_BY_ONE,
  type Part,
  type Recent,
  recent,
  roomCondition,
  select,
  selectAll,
  selectEnds,
  VOLUME_BITS,
  volumesWithin,
} from './statements.ts';

/** Of a condition that fewer messages have than this share, all can be read. */
const RARE = 0.02;

type Looking = Pick<Backend, 'look'>;

/** Goes through the volumes, in the order, until there are enough messages or no time is left. */
export async function propose(
  steps: Looking,
  { conditions, roomIds, order, beyondId, limit, withinMs }: Proposal,
): Promise<Proposed> {
  const messages: MessagePlace[] = [];
  const ends = roomIds.length === 0 ? undefined : await steps.look(selectEnds);
  if (!ends) return { messages, nextBeyondId: null };
  const isNewest = order === 'newest';
  const until = performance.now() + withinMs;
  const choice = new Choice([
    ...roomCondition(roomIds, conditions.length === 0),
    ...withoutShort(conditions),
  ]);
  for (const volume of volumesWithin(ends, order, beyondId)) {
    const start = volume * 2 ** VOLUME_BITS;
    const end = start + 2 ** VOLUME_BITS;
    let part: Omit<Part, 'limit'> | undefined = {
      ...{ conditions: choice.all, roomIds, volume, order },
      from: isNewest ? start : Math.max(start, beyondId + 1),
      to: isNewest ? Math.min(end, beyondId) : end,
    };
    while (part) {
      if (performance.now() >= until) return { messages, nextBeyondId: isNewest ? part.to : part.from - 1 };
      const { found, rest } = await look(steps, { ...part, limit: limit - messages.length }, choice);
      messages.push(...found);
      if (messages.length === limit) return { messages, nextBeyondId: messages.at(-1)?.messageId ?? start };
      part = rest;
    }
  }
  return { messages, nextBeyondId: null };
}

/** What a part has, and the rest of it, which is still to be looked at. */
async function look(
  steps: Looking,
  part: Part,
  choice: Choice,
): Promise<{ found: MessagePlace[]; rest?: Part }> {
  const most = choice.isMade ? ONE_BY_ONE.others : ONE_BY_ONE.first;
  const asked = choice.isMade ? choice.asked() : undefined;
  if (asked) return { found: await steps.look(() => all<MessagePlace>(select(part, asked))) };
  if (choice.isMade && choice.all.length === 0)
    return { found: await steps.look(() => all<MessagePlace>(selectAll(part))) };
  const { last, ...seen } = await steps.look(() => recent(part, { most, isCounted: !choice.isMade }));
  if (!choice.isMade) choice.add(seen);
  if (last === undefined || seen.seen < most || seen.messages.length === part.limit)
    return { found: seen.messages };
  const rest = { ...part, ...(part.order === 'newest' ? { to: last } : { from: last + 1 }) };
  if (!choice.isMade) {
    // What was written last may be unlike the rest.
    const half = { ...rest, limit: 0, ...middleOf(rest) };
    choice.add(await steps.look(() => recent(half, { most: ONE_BY_ONE.first, isCounted: true })));
    choice.isMade = true;
  }
  return { found: seen.messages, rest };
}

/** The part without what comes first in the order. */
function middleOf({ from, to, order }: Part): { from: number; to: number } {
  const middle = Math.floor((from + to) / 2);
  return order === 'newest' ? { from, to: middle } : { from: middle, to };
}

/** What the index is asked for, by what some messages were like. */
class Choice {
  readonly all: readonly AnyOf[];
  /** Enough messages were seen. */
  isMade = false;
  readonly #counts: number[];
  #seen = 0;

  constructor(all: readonly AnyOf[]) {
    this.all = all;
    this.#counts = all.map(() => 0);
  }

  add({ seen, counts }: Pick<Recent, 'seen' | 'counts'>): void {
    this.#seen += seen;
    for (const [place, count] of counts.entries()) this.#counts[place] = (this.#counts[place] ?? 0) + count;
  }

  /**
   * The rarest conditions. Common ones are left out where a rare one is there: each hit is read, and all of them are
   * looked for in it. Undefined: the index would find too many messages.
   */
  asked(): AnyOf[] | undefined {
    const shareOf = (anyOf: AnyOf) =>
      Math.max(1, this.#counts[this.all.indexOf(anyOf)] ?? 0) / Math.max(1, this.#seen);
    const few = rarest(this.all, shareOf);
    // As if they had nothing to do with each other.
    if (few.reduce((share, anyOf) => share * shareOf(anyOf), 1) > RARE) return undefined;
    const rare = few.filter((anyOf) => shareOf(anyOf) <= RARE);
    return rare.length > 0 ? rare : few;
  }
}
