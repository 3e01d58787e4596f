/**
 * Deletes each day what is older than the settings say (KEEP_MESSAGES_DAYS, KEEP_AUDIT_DAYS, and `files_keep_days` of rooms), as `roomful prune` does.
 * One process of several does it, in pieces, so that others write in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../../data/bus/bus.ts';
import type { PruneRun, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { AUDIT_AT_ONCE, COUNTED_AT_ONCE, FILES_AT_ONCE, TEXTS_AT_ONCE } from './retention.ts';

const DAY_MS = 86_400_000;
/** The process that has the turn says so again at least this often; a killed one is followed by another after that. */
const TURN_MS = 600_000;
const PAUSE_MS = 20;
const ROOMS_AT_ONCE = 1000;

export interface KeepLessOptions {
  store: Pick<Store, 'takeTurn' | 'setTurn' | 'oldTexts' | 'pruneTexts' | 'pruneAudit' | 'roomIds'> &
    Pick<Store, 'roomsLosingFiles' | 'pruneFiles'>;
  bus: Pick<Bus, 'publish'>;
  /** Undefined: for ever. */
  keepMessagesDays: number | undefined;
  keepAuditDays: number | undefined;
  now: Now;
}

export class KeepLess {
  readonly #options: KeepLessOptions;
  #isStopped = false;
  #isRunning = false;
  #heldUntil = 0;
  /**
   * Of each room: up to where nothing is left to do, so that a run does not read all history again. The first run after
   * a start does.
   */
  readonly #settled = new Map<number, number>();

  constructor(options: KeepLessOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Does what is due, unless another process does it, or an earlier call still does. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#run();
    } finally {
      this.#isRunning = false;
    }
  }

  async #run(): Promise<void> {
    const { store, now, keepMessagesDays, keepAuditDays } = this.#options;
    const losing = await store.roomsLosingFiles();
    if (keepMessagesDays === undefined && keepAuditDays === undefined && losing.length === 0) return;
    const begunAt = now();
    this.#heldUntil = begunAt + TURN_MS;
    if (!(await store.takeTurn({ task: 'retention', now: begunAt, until: this.#heldUntil }))) return;
    if (keepMessagesDays !== undefined) await this.#messages(begunAt - keepMessagesDays * DAY_MS);
    for (const { roomId, days } of losing) await this.#files(roomId, begunAt - days * DAY_MS);
    if (keepAuditDays !== undefined) await this.#audit(begunAt - keepAuditDays * DAY_MS);
    // After a stop the rest is due when the turn is over.
    if (!this.#isStopped) await store.setTurn({ task: 'retention', until: begunAt + DAY_MS });
  }

  /** Call it often: it keeps the turn while there is something to do. */
  async #holdTurn(): Promise<void> {
    const { store, now } = this.#options;
    if (now() <= this.#heldUntil - TURN_MS / 2) return;
    this.#heldUntil = now() + TURN_MS;
    await store.setTurn({ task: 'retention', until: this.#heldUntil });
  }

  async #messages(before: number): Promise<void> {
    const { store, now } = this.#options;
    const run = { auditId: null as number | null, before, messages: 0, rooms: 0 };
    for await (const roomId of this.#rooms()) {
      let isCounted = false;
      let afterSeq: number | undefined = this.#settled.get(roomId) ?? 0;
      while (afterSeq !== undefined && !this.#isStopped) {
        await this.#holdTurn();
        const from = performance.now();
        const query = { roomId, afterSeq, before, limit: COUNTED_AT_ONCE, now: now() };
        const found: Awaited<ReturnType<Store['oldTexts']>> = await store.oldTexts(query);
        await rest(from, 0);
        if (found.messageIds.length > 0 && !isCounted) {
          run.rooms++;
          isCounted = true;
        }
        await this.#prune(roomId, found, run);
        if (!this.#isStopped && found.settled > 0) this.#settled.set(roomId, found.settled);
        afterSeq = found.reached;
      }
    }
  }

  /** In pieces. */
  async #prune(
    roomId: number,
    { messageIds, cidIds }: { messageIds: readonly number[]; cidIds: readonly number[] },
    run: PruneRun,
  ): Promise<void> {
    const { store, bus, now } = this.#options;
    const ids = [...messageIds, ...cidIds];
    for (let at = 0; at < ids.length && !this.#isStopped; at += TEXTS_AT_ONCE / 2) {
      await this.#holdTurn();
      const from = performance.now();
      const piece = ids.slice(at, at + TEXTS_AT_ONCE / 2);
      const done = await store.pruneTexts({ roomId, messageIds: piece, run, now: now() });
      for (const message of done.changed) bus.publish({ type: 'message', roomId, message });
      run.auditId = done.auditId;
      run.messages += Math.max(0, Math.min(piece.length, messageIds.length - at));
      await rest(from, PAUSE_MS);
    }
  }

  async #files(roomId: number, before: number): Promise<void> {
    const { store, bus, now } = this.#options;
    const run = { auditId: null as number | null, files: 0 };
    for (let isMore = true; isMore && !this.#isStopped; ) {
      await this.#holdTurn();
      const from = performance.now();
      const done = await store.pruneFiles({ roomId, before, limit: FILES_AT_ONCE, run, now: now() });
      for (const message of done.changed) bus.publish({ type: 'message', roomId, message });
      run.auditId = done.auditId;
      run.files += done.files;
      isMore = done.files === FILES_AT_ONCE;
      await rest(from, PAUSE_MS);
    }
  }

  async #audit(before: number): Promise<void> {
    const { store, now } = this.#options;
    let isFirst = true;
    while (!this.#isStopped) {
      await this.#holdTurn();
      const count = await store.pruneAudit({ before, limit: AUDIT_AT_ONCE, isFirst, now: now() });
      if (count < AUDIT_AT_ONCE) return;
      isFirst = false;
      await sleep(PAUSE_MS);
    }
  }

  /** All rooms, also those that were deleted and can be restored. */
  async *#rooms(): AsyncIterable<number> {
    const { store } = this.#options;
    for (let after: number | undefined = 0; after !== undefined && !this.#isStopped; ) {
      const page: Awaited<ReturnType<Store['roomIds']>> = await store.roomIds({
        after,
        limit: ROOMS_AT_ONCE,
      });
      yield* page;
      after = page.length === ROOMS_AT_ONCE ? page.at(-1) : undefined;
    }
  }
}

/** Others have two thirds of the time. */
async function rest(from: number, atLeast: number): Promise<void> {
  await sleep(Math.max(atLeast, 2 * (performance.now() - from)));
}
