/**
 * Keeps the index of texts: as a consumer of the rooms' logs it writes what is new and what has changed, and a build
 * writes what was there before, from the newest texts back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuildState, SearchIndex } from '../../data/search/search-index.ts';
import type { MessageRow, Store } from '../../data/storage/store.ts';
import type { Logger } from '../../platform/log.ts';
import { type Cursors, LostCursor, type Progress, releaseIn, type Work } from '../consumers/work.ts';
import { entryOf } from './entry.ts';
import { inParts } from './parts.ts';
import { type Asked, consumeTogether, type RoomPlace } from './together.ts';

const TEXTS = 200;
/** Much less than the 2 s after which a text is found (G21). */
const EVERY_MS = 500;
/** With news in hundreds of rooms a run takes 60 ms of the event loop and of the database. */
const SPREAD_MS = 250;
/** How many rooms' news is read at once. */
const ROOMS_AT_ONCE = 16;
/** The build goes through so many ids in all rooms, and then says how far it has come. Each room is a read. */
const BUILD_IDS = { least: 2 ** 12, forEachRoom: 20, most: 2 ** 16 };
/** Texts that it sorts, and reads that it does for them, at most. */
const TOGETHER = 2000;
const ROOMS = 1000;
/** Between two steps of the build others have the database. */
const PAUSE_MS = 2;
const RETRY_MS = 5000;
/** How often it looks for rooms that are gone, and, where processes share the index, whether one of them has emptied it. */
const TEND_MS = { alone: 3_600_000, shared: 60_000 };

export interface IndexerParts {
  index: SearchIndex;
  store: Store;
  log: Logger;
}

export class Indexer implements Work {
  readonly name = 'search';
  readonly everyMs = EVERY_MS;
  readonly spreadMs = SPREAD_MS;
  readonly roomsAtOnce = ROOMS_AT_ONCE;
  readonly #parts: IndexerParts;
  /** In the index itself; the lease is the store's, where processes share the index. */
  readonly cursors: Cursors;
  /** This process has the lease, and the index was prepared. */
  #isOpen = false;
  /** Who asks for the lease here. */
  #holder = '';
  #building: { stop: AbortController; done: Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastTended: Promise<unknown> = Promise.resolve();
  /** One reads texts and writes them at a time, so that no earlier text is written over a later one. */
  #last: Promise<unknown> = Promise.resolve();
  /** Rooms whose news is read in the next turn. */
  #asked: Asked[] = [];

  constructor(parts: IndexerParts) {
    this.#parts = parts;
    const { index, store } = parts;
    this.cursors = {
      behind: (of) => index.behind(of),
      place: (roomId) => index.place(roomId),
      move: async (moves) => {
        const lost: number[] = [];
        for (const move of moves) if (!(await index.write(move, []))) lost.push(move.roomId);
        return lost;
      },
      lease: async (of) => {
        const isHeld = !index.isShared || (await store.leaseConsumer({ name: this.name, ...of }));
        this.#holder = of.holder;
        if (isHeld && !this.#isOpen) await index.open(of.holder);
        this.#isOpen = isHeld;
        return isHeld;
      },
      release: async (of) => {
        if (index.isShared) await releaseIn(store, this.name, of);
      },
    };
  }

  begin(): void {
    this.#beginBuild();
    void this.#told(this.#oneTends(() => this.#forgetRooms()));
    clearInterval(this.#timer);
    const tendMs = this.#parts.index.isShared ? TEND_MS.shared : TEND_MS.alone;
    this.#timer = setInterval(() => this.#told(this.tend()), tendMs).unref();
  }

  async end(): Promise<void> {
    this.#isOpen = false;
    clearInterval(this.#timer);
    await this.#endBuild();
  }

  #told(tending: Promise<void>): Promise<void> {
    return tending.catch((error) => {
      if (!this.#isOpen) return;
      this.#parts.log.warn({ err: error }, 'the index of the search could not be looked after');
    });
  }

  /** Begins anew where the index was emptied, and takes out rooms that were deleted for good. */
  tend(): Promise<void> {
    return this.#oneTends(async () => {
      if (!this.#isOpen) return;
      if ((await this.#parts.index.state()) === null) await this.#beginAnew();
      await this.#forgetRooms();
    });
  }

  /** Empties the index, and fills it again: here, or soon in the process that has the lease. */
  rebuild(): Promise<void> {
    return this.#oneTends(async () => {
      await this.#endBuild();
      await this.#parts.index.clear();
      if (this.#isOpen) await this.#beginAnew();
    });
  }

  #oneTends(act: () => Promise<void>): Promise<void> {
    const result = this.#lastTended.then(act);
    this.#lastTended = result.catch(() => undefined);
    return result;
  }

  async #beginAnew(): Promise<void> {
    await this.#endBuild();
    await this.#parts.index.open(this.#holder);
    if (this.#isOpen) this.#beginBuild();
  }

  /** In place of the build before it: two at once would write the same. */
  #beginBuild(): void {
    const before = this.#endBuild();
    const stop = new AbortController();
    this.#building = { stop, done: before.then(() => this.#build(stop.signal)) };
  }

  async #endBuild(): Promise<void> {
    this.#building?.stop.abort();
    await this.#building?.done;
  }

  async #forgetRooms(): Promise<void> {
    const { index, store } = this.#parts;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const known = await index.rooms({ after, limit: ROOMS });
      const there = await store.roomIds({ after, limit: ROOMS });
      const end: number = Math.min(
        known.length < ROOMS ? Number.POSITIVE_INFINITY : (known.at(-1) ?? 0),
        there.length < ROOMS ? Number.POSITIVE_INFINITY : (there.at(-1) ?? 0),
      );
      const isThere = new Set(there);
      for (const roomId of known) {
        if (roomId > end || isThere.has(roomId)) continue;
        while (this.#isOpen && (await this.#inTurn(() => index.forget(roomId)))) await sleep(PAUSE_MS);
      }
      after = end === Number.POSITIVE_INFINITY ? undefined : end;
    }
  }

  /** Rooms that are asked for at the same moment are read at once, and written together. */
  consume(room: RoomPlace): Promise<Progress> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ ...room, resolve, reject });
      if (this.#asked.length > 1) return;
      void this.#inTurn(() => consumeTogether(this.#asked.splice(0), this.#parts));
    });
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #build(signal: AbortSignal): Promise<void> {
    const { index, store, log } = this.#parts;
    while (!signal.aborted) {
      try {
        let state = await index.state();
        if (state === null) {
          state = { fromId: (await store.lastMessageId()) + 1, since: null };
          if (state.fromId === 1) state.fromId = 0;
          if (!(await index.note(state))) throw new LostCursor();
        }
        if (state.fromId > 0)
          log.info({ messages: state.fromId - 1 }, 'the index of the search is being built');
        else return;
        while (state.fromId > 0 && !signal.aborted) state = await this.#buildSome(state, signal);
        if (!signal.aborted) log.info('the index of the search is complete');
        return;
      } catch (error) {
        if (signal.aborted) return;
        // Another process has the index, or it was emptied: soon this build is ended, or may go on.
        if (!(error instanceof LostCursor))
          log.warn({ err: error }, 'the index of the search could not be built on; it is tried again');
        await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** Writes the texts of some ids before the state in all rooms. */
  async #buildSome({ fromId: beforeId, since }: BuildState, signal: AbortSignal): Promise<BuildState> {
    const { index } = this.#parts;
    const roomIds = await this.#allRooms();
    const wanted = roomIds.length * BUILD_IDS.forEachRoom;
    const ids = Math.min(BUILD_IDS.most, Math.max(BUILD_IDS.least, wanted));
    const fromId = Math.floor((beforeId - 1) / ids) * ids;
    let earliest = since ?? Number.POSITIVE_INFINITY;
    for (let at: BuildPlace | undefined = { room: 0, fromId }; at !== undefined; ) {
      if (signal.aborted) return { fromId: beforeId, since };
      const done = await this.#buildTogether({ roomIds, fromId, beforeId }, at);
      earliest = Math.min(earliest, done.earliest);
      at = done.next;
    }
    const isEmpty = earliest === Number.POSITIVE_INFINITY;
    const state = fromId === 0 ? { fromId, since: null } : { fromId, since: isEmpty ? null : earliest };
    if (!(await index.note(state))) throw new LostCursor();
    return state;
  }

  async #allRooms(): Promise<number[]> {
    const all: number[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const some = await this.#parts.store.roomIds({ after, limit: ROOMS });
      all.push(...some);
      after = some.length < ROOMS ? undefined : some.at(-1);
    }
    return all;
  }

  /**
   * Writes some texts of these rooms, from a place on, in the order of their ids: rows that are far apart would each have
   * a page of the index's file written anew. `next`: the place behind them.
   */
  #buildTogether({ roomIds, fromId, beforeId }: BuildSpan, start: BuildPlace) {
    const { index, store } = this.#parts;
    return this.#inTurn(async () => {
      const texts: MessageRow[] = [];
      let { room, fromId: from } = start;
      for (let reads = 0; room < roomIds.length && texts.length < TOGETHER && reads < TOGETHER; reads++) {
        const span = { roomId: roomIds[room] ?? 0, fromId: from, beforeId };
        const some = await store.roomTexts({ ...span, limit: TEXTS });
        texts.push(...some);
        const last = some.length < TEXTS ? undefined : some.at(-1);
        if (last === undefined) room++;
        from = last === undefined ? fromId : last.id + 1;
      }
      const entries = texts
        .sort((one, other) => one.id - other.id)
        .map((text) => ({ roomId: text.roomId, ...entryOf(text) }));
      for (const part of entries.length === 0 ? [] : inParts(entries)) {
        if (!(await index.add(part))) throw new LostCursor();
        await sleep(PAUSE_MS);
      }
      const earliest = texts.reduce(
        (least, { createdAt }) => Math.min(least, createdAt),
        Number.POSITIVE_INFINITY,
      );
      return { earliest, next: room < roomIds.length ? { room, fromId: from } : undefined };
    });
  }
}

/** Messages that a build writes before it says how far it has come. */
interface BuildSpan {
  roomIds: readonly number[];
  fromId: number;
  beforeId: number;
}

/** Where it is among them. */
interface BuildPlace {
  /** Its place in the list. */
  room: number;
  fromId: number;
}
