/** A search through all of its pages, and the comparison with the oracle. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SearchPage, searchResponse } from '../../../protocol/rest/search.ts';
import { expectReply } from '../expect-reply.ts';
import { send } from '../http.ts';
import { type SearchPerson, searchNaively } from './naive-search.ts';
import type { SearchStage } from './stage.ts';

export interface SearchAsked {
  reader: SearchPerson;
  typed: string;
  timeZone: string;
  /** Of a page. */
  limit: number;
  /** By default the newest first. */
  isOldestFirst?: boolean;
}

export interface Walked {
  /** In the order that was asked for. */
  keys: number[];
  /** Where the words are, as JSON, in the same order. */
  hits: string[];
  pages: number;
  /** Pages that took too long, and say so. */
  partial: number;
}

const POLL_MS = 25;

/** All pages of a search, each of which must be as the protocol says. */
export async function walk(stage: SearchStage, asked: SearchAsked): Promise<Walked> {
  const { reader, typed, timeZone, limit, isOldestFirst = false } = asked;
  const walked: Walked = { keys: [], hits: [], pages: 0, partial: 0 };
  const shown = describe(asked);
  const isBeyond = (id: number, last: number) => (isOldestFirst ? id > last : id < last);
  for (let last: number | null | undefined; last !== null; ) {
    const query = new URLSearchParams({ q: typed, tz: timeZone, limit: String(limit) });
    if (isOldestFirst) query.set('sort', 'oldest');
    if (last !== undefined) query.set(isOldestFirst ? 'after_id' : 'before_id', String(last));
    const reply = await send(stage.server, `/api/v1/search?${query}`, {
      token: stage.login(reader).accessToken,
    });
    const page = expectReply(reply, 200, searchResponse);
    assert(page.results.length <= limit, `${shown}: ${page.results.length} results`);
    for (const result of page.results) {
      const id = result.message.id;
      assert(last === undefined || isBeyond(id, last), `${shown}: ${id} is not beyond ${last}`);
      const key = stage.keyOf(id);
      assert.equal(result.message.content, stage.messages[key]?.content, shown);
      walked.keys.push(key);
      walked.hits.push(hitsOf(result, shown));
      last = id;
    }
    const next: number | null = (isOldestFirst ? page.next_after_id : page.next_before_id) ?? null;
    assert(next === null || last === undefined || !isBeyond(last, next), `${shown}: goes on at ${next}`);
    last = next;
    walked.pages++;
    if (!page.is_complete) walked.partial++;
  }
  return walked;
}

/** They are in the text, in its order, and do not overlap. */
function hitsOf({ message, hits, file_hits = [] }: SearchPage['results'][number], shown: string): string {
  let last = 0;
  for (const [from, to] of hits) {
    assert(from >= last && to > from && to <= message.content.length, `${shown}: hit from ${from} to ${to}`);
    last = to;
  }
  return JSON.stringify([hits, file_hits.map(({ name, alt }) => [name, alt])]);
}

export interface Difference {
  /** Keys that must be found, and are not. */
  missing: number[];
  /** Keys that may not be found, and are. */
  extra: number[];
}

/** What the search finds beside what the oracle finds. */
export async function compareOnce(
  stage: SearchStage,
  asked: SearchAsked,
): Promise<Difference & { walked: Walked }> {
  const walked = await walk(stage, asked);
  const { messages } = stage;
  const expected = searchNaively({ messages, ...asked, now: Date.now() });
  const [found, wanted] = [new Set(walked.keys), new Set(expected)];
  return {
    walked,
    missing: expected.filter((key) => !found.has(key)),
    extra: walked.keys.filter((key) => !wanted.has(key)),
  };
}

/** Nothing may be found that the oracle does not find, at any moment. */
export async function expectNoExtra(stage: SearchStage, asked: SearchAsked): Promise<void> {
  complain(stage, asked, { ...(await compareOnce(stage, asked)), missing: [] });
}

/** The search finds what the oracle finds by the deadline (`performance.now()`), and nothing else at any time. */
export async function expectSame(stage: SearchStage, asked: SearchAsked, deadline: number): Promise<Walked> {
  for (;;) {
    const { walked, ...difference } = await compareOnce(stage, asked);
    const isOver = performance.now() > deadline;
    if (difference.extra.length > 0 || (difference.missing.length > 0 && isOver))
      complain(stage, asked, difference);
    if (difference.missing.length === 0) return walked;
    await sleep(POLL_MS);
  }
}

function complain({ messages }: SearchStage, asked: SearchAsked, { missing, extra }: Difference): void {
  const texts = (keys: readonly number[]) =>
    keys.slice(0, 5).map((key) => {
      const { content, files, room, author } = messages[key] ?? {};
      const names = files?.map(({ name, alt }) => `${name} (${alt})`) ?? [];
      return `  ${key} in ${room?.name} by ${author?.name}: ${[content, ...names].join(' + ')}`;
    });
  const lines = [
    ...(missing.length > 0 ? [`${missing.length} are missing:`, ...texts(missing)] : []),
    ...(extra.length > 0 ? [`${extra.length} may not be found:`, ...texts(extra)] : []),
  ];
  assert(lines.length === 0, `${describe(asked)}\n${lines.join('\n')}`);
}

export function describe({ reader, typed, timeZone, limit, isOldestFirst }: SearchAsked): string {
  const order = isOldestFirst ? ', the oldest first' : '';
  return `${reader.name} searches ${JSON.stringify(typed)} (${timeZone}, pages of ${limit}${order})`;
}
