/**
 * Deletes each day what is older than the settings say (KEEP_MESSAGES_DAYS, KEEP_AUDIT_DAYS), as `roomful prune` does.
 * One process of several does it, in pieces, so that others write in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../bus/bus.ts';
import type { Now } from '../clock.ts';
import type { Store } from '../storage/store.ts';
import { AUDIT_AT_ONCE, TEXTS_AT_ONCE } from './retention.ts';

const DAY_MS = 86_400_000;
/** The process that has the turn says so again at least this often; a killed one is followed by another after that. */
const TURN_MS = 600_000;
const PAUSE_MS = 20;
const ROOMS_AT_ONCE = 1000;

export interface KeepLessOptions {
  store: Pick<Store, 'takeTurn' | 'setTurn' | 'oldTexts' | 'pruneTexts' | 'pruneAudit' | 'roomIds'>;
  bus: Pick<Bus, 'publish'>;
  /** Undefined: for ever. */
  keepMessagesDays: number | undefined;
  keepAuditDays: number | undefined;
  now: Now;
}

export class KeepLess {
  readonly #options: KeepLessOptions;
  #isStopped = false;

  constructor(options: KeepLessOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Does what is due, unless another process does it. */
  async run(): Promise<void> {
    const { store, now, keepMessagesDays, keepAuditDays } = this.#options;
    if (keepMessagesDays === undefined && keepAuditDays === undefined) return;
    const begunAt = now();
    if (!(await store.takeTurn({ task: 'retention', now: begunAt, until: begunAt + TURN_MS }))) return;
    if (keepMessagesDays !== undefined) await this.#messages(begunAt - keepMessagesDays * DAY_MS);
    if (keepAuditDays !== undefined) await this.#audit(begunAt - keepAuditDays * DAY_MS);
    // After a stop the rest is due when the turn is over.
    if (!this.#isStopped) await store.setTurn({ task: 'retention', until: begunAt + DAY_MS });
  }

  async #messages(before: number): Promise<void> {
    const { store, bus, now } = this.#options;
    const run = { auditId: null as number | null, before, messages: 0, rooms: 0 };
    let heldUntil = now() + TURN_MS;
    for await (const roomId of this.#rooms()) {
      let isCounted = false;
      for (let afterSeq: number | undefined = 0; afterSeq !== undefined && !this.#isStopped; ) {
        const piece: Awaited<ReturnType<Store['oldTexts']>> = await store.oldTexts({
          ...{ roomId, afterSeq, before, limit: TEXTS_AT_ONCE / 2 },
        });
        afterSeq = piece.reached;
        if (piece.messageIds.length === 0) continue;
        if (!isCounted) run.rooms++;
        isCounted = true;
        const from = performance.now();
        const done = await store.pruneTexts({ roomId, messageIds: piece.messageIds, run, now: now() });
        for (const message of done.changed) bus.publish({ type: 'message', roomId, message });
        run.auditId = done.auditId;
        run.messages += piece.messageIds.length;
        if (now() > heldUntil - TURN_MS / 2) {
          heldUntil = now() + TURN_MS;
          await store.setTurn({ task: 'retention', until: heldUntil });
        }
        // Others have two thirds of the time.
        await sleep(Math.max(PAUSE_MS, 2 * (performance.now() - from)));
      }
    }
  }

  async #audit(before: number): Promise<void> {
    const { store, now } = this.#options;
    let isFirst = true;
    while (!this.#isStopped) {
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
