/** The jumps of a page: what it requests, what arrives late, and what it must hold. */
import { expect } from 'vitest';
import type { FlowPage } from '../../protocol/rest/messages.ts';
import { cursorOf, type Direction, onAround, onDetachedPage } from '../room/jump-steps.ts';
import type { RoomAction } from '../room/room-reducer.ts';
import { type ReadAt, type RoomState, readAt } from '../room/room-state.ts';
import { placeOf } from '../room/stream.ts';
import type { ModelServer } from './room-model-server.ts';

export class ModelJumps {
  readonly #server: ModelServer;
  readonly #state: () => RoomState;
  readonly #dispatch: (action: RoomAction) => void;
  #pages: RoomAction[] = [];

  constructor(server: ModelServer, state: () => RoomState, dispatch: (action: RoomAction) => void) {
    this.#server = server;
    this.#state = state;
    this.#dispatch = dispatch;
  }

  /** Jumps to a message further back, or reads again what has become stale. */
  jump(): void {
    const { detached, jump } = this.#state();
    const isAgain = detached?.isStale === true;
    const { log } = this.#server;
    const aroundId = isAgain ? jump.target?.id : log[log.length >> 2]?.id;
    const page = aroundId === undefined ? null : this.#server.flow({ aroundId });
    if (page === null) return;
    this.#ask(page, (at) => (state) => onAround(state, page, { ...at, isAgain }));
  }

  toLatest(): void {
    this.#dispatch({ type: 'to latest' });
  }

  read(direction: Direction): void {
    const { detached } = this.#state();
    const cursor = detached === null ? undefined : cursorOf(detached, direction);
    if (cursor === undefined) return;
    const page: FlowPage | null = this.#server.flow(
      direction === 'older' ? { beforeId: cursor } : { afterId: cursor },
    );
    if (page !== null)
      this.#ask(page, (at) => (state) => onDetachedPage(state, page, { ...at, direction, cursor }));
  }

  arrive(): void {
    const action = this.#pages.shift();
    if (action !== undefined) this.#dispatch(action);
  }

  arriveLatest(): void {
    const action = this.#pages.pop();
    if (action !== undefined) this.#dispatch(action);
  }

  reload(): void {
    this.#pages = [];
  }

  /** All that was requested arrives, and what has become stale is read again. */
  settle(): void {
    while (this.#pages.length > 0) this.arrive();
    if (this.#state().detached?.isStale === true) this.jump();
    while (this.#pages.length > 0) this.arrive();
  }

  /** None is missing between the ends of the segment, and none is twice. */
  check(): void {
    const { detached, epoch } = this.#state();
    if (detached === null || detached.isStale || epoch !== this.#server.epoch) return;
    expect(detached.messages.length, 'a segment has messages').toBeGreaterThan(0);
    const seqs = detached.messages.map(({ seq }) => seq);
    const [first = 0, last = 0] = [seqs[0], seqs.at(-1)];
    const due = this.#server.log.filter(({ seq }) => seq >= first && seq <= last).map(({ seq }) => seq);
    expect(seqs, 'the segment is whole').toEqual(due);
    for (const message of detached.messages) {
      const now = this.#server.log.find(({ seq }) => seq === message.seq);
      expect(placeOf(message), 'a state that there was').toBeLessThanOrEqual(now ? placeOf(now) : 0);
    }
  }

  /** The segment is as the server has it, and apart from the end of the room. */
  checkEnd(): void {
    const { detached, messages } = this.#state();
    if (detached === null) return;
    expect(detached.isStale, 'the segment is read again').toBe(false);
    const seqs = new Set(detached.messages.map(({ seq }) => seq));
    expect(detached.messages).toEqual(this.#server.log.filter(({ seq }) => seqs.has(seq)));
    expect(detached.messages.at(-1)?.seq ?? 0, 'they have not met').toBeLessThan(messages[0]?.seq ?? 0);
  }

  #ask(page: FlowPage, stepOf: (at: ReadAt) => (state: RoomState) => RoomState): void {
    this.#dispatch({ type: 'asked' });
    this.#pages.push({ type: 'jump page', page, step: stepOf(readAt(this.#state())) });
  }
}
