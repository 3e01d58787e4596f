/**
 * From the last byte of an upload to a file that may be served: its bytes are looked at in a thread, one file at a time.
 * A check may be done again at any time, also after half of it: what it has made of a file, it makes of it again.
 */
import type { Places } from '../../data/blobs/places.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { FileRow, Store } from '../../data/storage/store.ts';
import { within } from '../../platform/deadline.ts';
import type { Logger } from '../../platform/log.ts';
import { measures } from '../../platform/metrics/measures.ts';
import type { FileInfo } from '../../rules/attached-files.ts';
import type { CheckThread } from './check-thread.ts';
import type { Scanner } from './scanner.ts';
import { readyVerdict, type Verdict } from './verdict.ts';

/** A file that ended the thread this often is refused. */
const TRIES = 3;
/** For how long a scanner is not asked that was away: at first, and at most. */
const AWAY_MS = { first: 5000, most: 60_000 };
/** Files that wait here; the janitor brings those that do not fit. */
const WAITING_MAX = 1000;
/** For how long checks go on at a stop. Another process would take them over only after 30 s (janitor.ts). */
const STOP_GRACE_MS = 1000;

export interface CheckerParts {
  store: Pick<Store, 'settleFile' | 'ownFile'>;
  places: Places;
  bus: Bus;
  thread: Pick<CheckThread, 'check' | 'stop'>;
  /** What also looks at each file before it may be served, where the operator wants that. */
  scanner?: Scanner | undefined;
  /** No other process uses this database. */
  isAlone: boolean;
  log: Logger;
}

export class Checker {
  readonly #parts: CheckerParts;
  /** By key, in the order in which they came; one may be under way. */
  readonly #waiting = new Map<string, FileRow>();
  /** By owner: how many checks had begun here when the last one of theirs did. */
  readonly #turns = new Map<number, number>();
  readonly #tries = new Map<string, number>();
  /** By key: what waits for the end of a check. */
  readonly #settled = new Map<string, (() => void)[]>();
  /** A scanner that was away is not asked before this time, by the monotonic clock. */
  #awayUntil = 0;
  #awayMs = 0;
  #begun = 0;
  #isWorking = false;
  #isStopping = false;
  /** What is still under way does not count any more. */
  #isStopped = false;

  constructor(parts: CheckerParts) {
    this.#parts = parts;
  }

  /** Whether the file waits here, or is being looked at. */
  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  add(file: FileRow): void {
    // The janitor brings it again.
    if (this.#isStopping || this.#waiting.size >= WAITING_MAX || performance.now() < this.#awayUntil) return;
    this.#waiting.set(file.key, file);
    if (!this.#isWorking) void this.#work();
  }

  /** Resolves once the file does not wait here any more: then its row says what became of it. */
  async settled(key: string): Promise<void> {
    if (!this.#waiting.has(key)) return;
    await new Promise<void>((resolve) => {
      this.#settled.set(key, [...(this.#settled.get(key) ?? []), resolve]);
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (!this.#parts.isAlone) {
      const settled = Array.from(this.#waiting.keys(), (key) => this.settled(key));
      await within(STOP_GRACE_MS, Promise.all(settled), 'late').catch(() => undefined);
    }
    this.#isStopped = true;
    for (const key of [...this.#waiting.keys()]) this.#remove(key);
    await this.#parts.thread.stop();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      const file = this.#next();
      if (!file) break;
      if (performance.now() < this.#awayUntil) {
        for (const key of [...this.#waiting.keys()]) this.#remove(key);
        break;
      }
      try {
        await this.#check(file);
      } catch (error) {
        // The janitor brings it again, unless it was deleted meanwhile.
        if (!this.#isStopped && !(await this.#isGone(file)))
          this.#parts.log.error({ err: error, file: file.key }, 'a file could not be checked');
      }
      this.#remove(file.key);
    }
    this.#turns.clear();
    this.#isWorking = false;
  }

  /** People take turns: nobody waits for all files of somebody whose checks take long. */
  #next(): FileRow | undefined {
    const turnOf = ({ ownerId }: FileRow) => this.#turns.get(ownerId) ?? 0;
    let next: FileRow | undefined;
    for (const file of this.#waiting.values()) if (!next || turnOf(file) < turnOf(next)) next = file;
    if (next) this.#turns.set(next.ownerId, ++this.#begun);
    return next;
  }

  #remove(key: string): void {
    this.#waiting.delete(key);
    for (const resolve of this.#settled.get(key) ?? []) resolve();
    this.#settled.delete(key);
  }

  async #check(file: FileRow): Promise<void> {
    const { places, thread, isAlone } = this.#parts;
    const { key } = file;
    const blobs = places.of(file.place);
    const size = await blobs.size(key);
    if (size === undefined) {
      if (await this.#isGone(file)) return;
      this.#parts.log.error({ file: key }, 'the bytes of a file are not there');
      return await this.#refuse(file, 'not_checked');
    }
    const workspace = await blobs.workspace(key);
    try {
      const { path, newPath } = workspace;
      // Another process may still have a part that nobody waits for, and must not write into what was checked. In S3 a
      // request may arrive after its process has died.
      const isCopied = !isAlone || blobs.place === 's3';
      const reply = await thread.check({ path, newPath, isCopied }, size);
      if (this.#isStopped) return;
      if (reply === undefined) return await this.#failed(file, 'it took too long, or ended the thread');
      if (reply.state === 'failed') throw new Error(reply.message);
      this.#tries.delete(key);
      if (reply.state === 'refused') return await this.#refuse(file, reply.reason);
      if (!(await this.#passes(file, reply.isChanged ? newPath : path))) return;
      if (reply.isChanged) await blobs.replace(key, newPath);
      if (await this.#settle(file, readyVerdict(reply, file.type))) return;
      // Its bytes may have been deleted before the new ones took their place, and nobody would look for those.
      if (await this.#isGone(file)) await blobs.delete(key);
    } finally {
      await workspace.release();
    }
  }

  /** Whether the scanner has nothing against these bytes. Rejects while it is away: the file goes on waiting. */
  async #passes(file: FileRow, path: string): Promise<boolean> {
    const { scanner, log } = this.#parts;
    if (!scanner) return true;
    const verdict = await scanner.scan(path).catch((error: unknown) => {
      measures.scansFailed++;
      this.#awayMs = Math.min(AWAY_MS.most, this.#awayMs === 0 ? AWAY_MS.first : this.#awayMs * 2);
      this.#awayUntil = performance.now() + this.#awayMs;
      throw new Error('clamd is away: files wait for their check', { cause: error });
    });
    this.#awayMs = 0;
    switch (verdict.kind) {
      case 'clean':
        return true;
      case 'found':
        measures.malwareFound++;
        log.warn(
          { file: file.key, ownerId: file.ownerId, found: verdict.name },
          'a file was refused: clamd knows it',
        );
        await this.#refuse(file, 'malware');
        return false;
      case 'too_large':
        log.error(
          { file: file.key, size: file.size },
          'a file was refused: raise StreamMaxLength of clamd above FILE_MAX_MIB',
        );
        await this.#refuse(file, 'not_checked');
        return false;
      case 'failed':
        await this.#failed(file, `clamd: ${verdict.reason}`);
        return false;
    }
  }

  /** The file may not have been the reason, so it gets another try. */
  async #failed(file: FileRow, reason: string): Promise<void> {
    const tries = (this.#tries.get(file.key) ?? 0) + 1;
    this.#parts.log.warn({ file: file.key, tries, reason }, 'the check of a file failed');
    if (tries < TRIES) this.#tries.set(file.key, tries);
    else {
      this.#tries.delete(file.key);
      await this.#refuse(file, 'not_checked');
    }
  }

  async #refuse(file: FileRow, reason: NonNullable<FileInfo['reason']>): Promise<void> {
    const info: FileInfo = { reason };
    if (await this.#settle(file, { state: 'refused', info: JSON.stringify(info) }))
      await this.#parts.places.delete(file.key);
  }

  /** Whether it was deleted. While the database does not answer, it is not known to be. */
  async #isGone({ key, ownerId }: FileRow): Promise<boolean> {
    return await this.#parts.store.ownFile({ key, ownerId }).then(
      (row) => row === undefined,
      () => false,
    );
  }

  /** A message that has the file shows what became of it. */
  async #settle({ key, roomId }: FileRow, result: Verdict): Promise<boolean> {
    const { store, bus } = this.#parts;
    const { isSettled, message } = await store.settleFile({ key, roomId, result });
    if (message) bus.publish({ type: 'message', roomId: message.roomId, message });
    return isSettled;
  }
}
