/** A real index that tells what is written into it, and in which a write may wait or fail. */
import { parseQuery } from '../../../../protocol/search/query.ts';
import { conditionsOf } from '../../../../protocol/search/tokens.ts';
import {
  type BuildState,
  beforeAll,
  type Proposed,
  type RoomEntry,
  type RoomWrite,
} from '../../../data/search/search-index.ts';
import { SqliteSearch } from '../../../data/search/sqlite/sqlite-search.ts';

export type Call =
  | { name: 'add'; ids: number[] }
  | { name: 'writeAll'; roomIds: number[] }
  | { name: 'note'; state: BuildState };

export class WatchedIndex extends SqliteSearch {
  /** In the order in which they were done. */
  readonly calls: Call[] = [];
  /** Runs before a write, which waits for it, and fails as it does. */
  before: (call: Call) => Promise<void> | void = () => undefined;
  openFails = 0;

  override async open(holder: string) {
    if (this.openFails-- > 0) throw new Error('the disk is full');
    return await super.open(holder);
  }

  override add(entries: readonly RoomEntry[]) {
    return this.#write({ name: 'add', ids: entries.map(({ messageId }) => messageId) }, () =>
      super.add(entries),
    );
  }

  override writeAll(writes: readonly RoomWrite[]) {
    const call: Call = { name: 'writeAll', roomIds: writes.map(({ move }) => move.roomId) };
    return this.#write(call, () => super.writeAll(writes));
  }

  override note(state: BuildState) {
    return this.#write({ name: 'note', state }, () => super.note(state));
  }

  async #write<Result>(call: Call, act: () => Promise<Result>): Promise<Result> {
    await this.before(call);
    const result = await act();
    this.calls.push(call);
    return result;
  }

  /** The messages that builds have written, in their order. */
  get added(): number[] {
    return this.calls.flatMap((call) => (call.name === 'add' ? call.ids : []));
  }

  /** What builds have said of how far they have come. */
  get noted(): BuildState[] {
    return this.calls.flatMap((call) => (call.name === 'note' ? [call.state] : []));
  }

  /** The messages of these rooms that have a word, the oldest first; without a word, all. */
  async found(roomIds: readonly number[], word: string): Promise<number[]> {
    const conditions = parseQuery(word).terms.flatMap((term) => conditionsOf(term, () => []));
    const all: number[] = [];
    for (let beyondId: number | null = beforeAll('oldest'); beyondId !== null; ) {
      const page: Proposed = await this.propose({
        ...{ conditions, roomIds, order: 'oldest', beyondId, limit: 1000, withinMs: 1000 },
      });
      all.push(...page.messages.map(({ messageId }) => messageId));
      beyondId = page.nextBeyondId;
    }
    return all;
  }
}

/** Where a write is held: `isHeld` says that it has come there, and `go` lets it go on. */
export function gate() {
  let go = () => {};
  let arrive = () => {};
  const opens = new Promise<void>((resolve) => {
    go = resolve;
  });
  const isHeld = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    ...{ isHeld, go },
    hold(): Promise<void> {
      arrive();
      return opens;
    },
  };
}
