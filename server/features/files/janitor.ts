/**
 * Ends what nobody goes on with: expired uploads, the bytes of deleted files, checks of processes that died. One of all
 * processes does it at a time. Nothing runs before the first file; of several processes any may get it, so all look.
 */
import { UPLOAD_TTL_S } from '../../../protocol/limits.ts';
import type { Places } from '../../data/blobs/places.ts';
import type { FileRow, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { type Logger, throttled } from '../../platform/log.ts';
import type { Checker } from './checker.ts';

const SWEEP_EVERY_MS = 5000;
/** For how long a process has the turn; another one takes it when the process died. */
const TURN_MS = 15_000;
const AT_ONCE = 100;
/** A check that another process has had for this long is taken over: it is dead, or very slow. */
const CHECK_OVERDUE_MS = 30_000;

export interface JanitorParts {
  store: Pick<Store, 'filesDue' | 'expireFiles' | 'forgetFiles' | 'takeTurn' | 'setTurn'>;
  places: Places;
  checker: Checker;
  /** No other process uses this database. */
  isAlone: boolean;
  now: Now;
  log: Logger;
}

type Due = Awaited<ReturnType<Store['filesDue']>>;

export class Janitor {
  readonly #parts: JanitorParts;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  /** It was rung while it swept. */
  #isAgain = false;
  #isStopped = false;
  /** By key: since when this process has seen files that are deleted or wait for their check. */
  #seen = new Map<string, number>();
  #hasFiles = false;
  #lagMs = 0;

  constructor(parts: JanitorParts) {
    this.#parts = parts;
    this.#onError = throttled((err: unknown, count) =>
      parts.log.warn({ err, count }, 'files that are deleted or expired remain; they are tried again'),
    );
  }

  /** The server has had a file, as far as this process knows. */
  get hasFiles(): boolean {
    return this.#hasFiles;
  }

  /** For how long the first thing has waited that is to be done. */
  get lagMs(): number {
    return this.#lagMs;
  }

  /** Looks once, and goes on looking if there is a file, or may be one of another process. */
  look(): void {
    if (this.#isStopped) return;
    if (!this.#parts.isAlone) this.#watch();
    this.#sweep();
  }

  /** There is a file now. */
  begin(): void {
    this.#hasFiles = true;
    this.#watch();
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  #sweep(): void {
    this.#isAgain = true;
    if (this.#sweeping) return;
    this.#sweeping = this.#sweepAll().finally(() => {
      this.#sweeping = undefined;
    });
  }

  async #sweepAll(): Promise<void> {
    while (this.#isAgain && !this.#isStopped) {
      this.#isAgain = false;
      await this.#sweepOnce().catch(this.#onError);
    }
  }

  async #sweepOnce(): Promise<void> {
    const { store, now } = this.#parts;
    const due = await store.filesDue({ now: now(), limit: AT_ONCE });
    if (!due.hasFiles) return this.#rest();
    this.begin();
    const abandoned = this.#note(due);
    if (due.deleted.length === 0 && due.expiredAt === null && abandoned.length === 0) return;
    if (!(await this.#takeTurn())) return;
    try {
      for (const file of abandoned) this.#parts.checker.add(file);
      for (let piece = due; await this.#end(piece); ) {
        await this.#keepTurn(TURN_MS);
        piece = await store.filesDue({ now: now(), limit: AT_ONCE });
      }
      this.#lagMs = 0;
    } finally {
      await this.#keepTurn(0);
    }
  }

  /** Nothing was ever uploaded, or nothing is left of it. */
  #rest(): void {
    this.#hasFiles = false;
    this.#lagMs = 0;
    if (!this.#parts.isAlone) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Keeps in mind what is there since when. Returns the files that nobody seems to check. */
  #note({ deleted, checking, expiredAt }: Due): FileRow[] {
    const { checker, isAlone, now } = this.#parts;
    const at = now();
    const seen = new Map<string, number>();
    for (const key of [...deleted, ...checking.map((file) => file.key)])
      seen.set(key, this.#seen.get(key) ?? at);
    this.#seen = seen;
    const waits = [...deleted.map((key) => seen.get(key) ?? at), expiredAt ?? at];
    this.#lagMs = Math.max(0, at - Math.min(...waits));
    const patienceMs = isAlone ? 0 : CHECK_OVERDUE_MS;
    return checking.filter(
      (file) => !checker.has(file.key) && at - waitsSince(file, seen.get(file.key) ?? at) >= patienceMs,
    );
  }

  /** True: there may be more to do. */
  async #end({ deleted, expiredAt }: Due): Promise<boolean> {
    const { store, places, now } = this.#parts;
    for (const key of deleted) await places.delete(key);
    if (deleted.length > 0) await store.forgetFiles({ keys: deleted });
    const expired = expiredAt === null ? 0 : await store.expireFiles({ now: now(), limit: AT_ONCE });
    return !this.#isStopped && (expired > 0 || deleted.length === AT_ONCE);
  }

  async #takeTurn(): Promise<boolean> {
    const { store, isAlone, now } = this.#parts;
    return isAlone || (await store.takeTurn({ task: 'files', now: now(), until: now() + TURN_MS }));
  }

  async #keepTurn(forMs: number): Promise<void> {
    const { store, isAlone, now } = this.#parts;
    if (!isAlone) await store.setTurn({ task: 'files', until: now() + forMs });
  }
}

/**
 * Since when a file waits for its check. The row tells it, so that it counts also where no process lives for long: its
 * time ends a day after its last byte. With a message it has no such time, and what this process has seen counts.
 */
export function waitsSince({ expiresAt }: Pick<FileRow, 'expiresAt'>, seenAt: number): number {
  return expiresAt === null ? seenAt : Math.min(seenAt, expiresAt - UPLOAD_TTL_S * 1000);
}
