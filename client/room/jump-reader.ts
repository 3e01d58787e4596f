/** Reads the pages around the target of a jump, and those on both sides of them. */
import type { FlowPage } from '../../protocol/rest/messages.ts';
import type { ChatApi, FlowQuery } from '../api/api.ts';
import { type Cancel, type Clock, nothingToCancel } from '../clock.ts';
import { retryDelayMs } from '../connection/backoff.ts';
import { pageLimit } from './history-reader.ts';
import { cursorOf, type Direction, jumpedTo, onAround, onDetachedPage } from './jump-steps.ts';
import type { RoomAction } from './room-reducer.ts';
import { type RoomState, readAt, type Target } from './room-state.ts';

/** Where to jump: a message, or a time (RFC 3339). */
export type JumpPlace = { readonly id: number } | { readonly time: string };

export interface JumpReaderOptions {
  readonly roomId: number;
  readonly api: Pick<ChatApi, 'flow'>;
  readonly state: () => RoomState;
  readonly dispatch: (action: RoomAction) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Messages of the first page: enough for the screen, and for the first scroll up or down. */
const AROUND = 100;
/** A page may be older than the beginning of the connection that opened meanwhile. */
const MAX_TRIES = 5;

export class JumpReader {
  readonly #options: JumpReaderOptions;
  /** The latest jump: what an earlier one reads is dropped. */
  #current = 0;
  #loading: Promise<void> | null = null;
  #isRefreshing = false;
  #failures = 0;
  #cancelRefresh: Cancel = nothingToCancel;
  #isStopped = false;

  constructor(options: JumpReaderOptions) {
    this.#options = options;
  }

  /** See `Room.jump`. `count`: how many jumps there were when it was asked for. */
  async jump(place: JumpPlace, count: number): Promise<Target | null> {
    const { state, dispatch } = this.#options;
    const jump = ++this.#current;
    const isWanted = () => jump === this.#current && state().jump.count === count && !this.#isStopped;
    if (!isWanted()) return null;
    if ('id' in place) dispatch({ type: 'jump', step: (before) => jumpedTo(before, place.id) });
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (!isWanted()) break;
      await this.#around(place, isWanted, false);
    }
    return jump === this.#current ? state().jump.target : null;
  }

  /** See `Room.loadDetached`. */
  load(direction: Direction): Promise<void> {
    this.#loading ??= this.#load(direction).finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** Reads a segment again that has become stale, until that succeeds. */
  refresh(): void {
    const { detached } = this.#options.state();
    if (detached?.isStale !== true || this.#isRefreshing || this.#isStopped) return;
    this.#isRefreshing = true;
    void this.#refresh();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRefresh();
  }

  async #refresh(): Promise<void> {
    const { state, clock, random } = this.#options;
    const { detached, jump } = state();
    const middle = detached?.messages[detached.messages.length >> 1]?.id ?? 0;
    const isWanted = () => state().jump.count === jump.count && state().detached !== null;
    const isRead = await this.#around({ id: jump.target?.id ?? middle }, isWanted, true).then(
      () => true,
      () => false,
    );
    this.#failures = isRead && state().detached?.isStale !== true ? 0 : this.#failures + 1;
    const delayMs = this.#failures === 0 ? 0 : retryDelayMs(this.#failures - 1, undefined, random);
    if (this.#isStopped) return;
    this.#cancelRefresh = clock.after(delayMs, () => {
      this.#isRefreshing = false;
      this.refresh();
    });
  }

  async #around(place: JumpPlace, isWanted: () => boolean, isAgain: boolean): Promise<void> {
    const query = 'id' in place ? { aroundId: place.id } : { aroundTime: place.time };
    await this.#read({ limit: AROUND, ...query }, (page, at) =>
      isWanted()
        ? { type: 'jump page', page, step: (before) => onAround(before, page, { ...at, isAgain }) }
        : { type: 'failed' },
    );
  }

  async #load(direction: Direction): Promise<void> {
    const { detached } = this.#options.state();
    const cursor = detached === null ? undefined : cursorOf(detached, direction);
    if (detached === null || cursor === undefined || (direction === 'older' && !detached.hasOlder)) return;
    const limit = pageLimit(detached.messages.length);
    const query = direction === 'older' ? { beforeId: cursor } : { afterId: cursor };
    await this.#read({ limit, ...query }, (page, at) => ({
      type: 'jump page',
      page,
      step: (before) => onDetachedPage(before, page, { ...at, direction, cursor }),
    }));
  }

  /** Reads a page, and dispatches what it gives. */
  async #read(
    query: FlowQuery,
    actionOf: (page: FlowPage, at: ReturnType<typeof readAt>) => RoomAction,
  ): Promise<void> {
    const { api, roomId, state, dispatch } = this.#options;
    dispatch({ type: 'asked' });
    const at = readAt(state());
    try {
      dispatch(actionOf(await api.flow(roomId, query), at));
    } catch (error) {
      dispatch({ type: 'failed' });
      throw error;
    }
  }
}
