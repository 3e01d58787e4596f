/**
 * Compares the places of files with the database, once a day: bytes that no row has are deleted when they are old enough
 * to be of no upload that has just begun, and rows without bytes are reported.
 */
import type { Places } from '../../data/blobs/places.ts';
import type { FileRow, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { measures } from '../../platform/metrics/measures.ts';

const EVERY_MS = 86_400_000;
const KEEP_MS = 48 * 3_600_000;
const AT_ONCE = 200;
const NAMED = 10;

export interface ComparisonParts {
  store: Pick<Store, 'knownFiles' | 'filesByKey' | 'takeTurn'>;
  places: Places;
  now: Now;
  log: Logger;
}

export class Comparison {
  readonly #parts: ComparisonParts;
  #isStopped = false;

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
  }

  /** Does nothing when another process has done it within a day. */
  async run(): Promise<void> {
    const { store, now, log } = this.#parts;
    const at = now();
    if (!(await store.takeTurn({ task: 'comparison of files', now: at, until: at + EVERY_MS }))) return;
    const deleted = await this.#deleteStrays();
    const missing = await this.#findMissing();
    measures.filesMissing = missing.length;
    if (deleted > 0) log.info({ deleted }, 'bytes that belong to no file were deleted');
    if (missing.length > 0)
      log.error(
        { count: missing.length, files: missing.slice(0, NAMED) },
        'the bytes of files are not there',
      );
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #deleteStrays(): Promise<number> {
    const { store, places } = this.#parts;
    let deleted = 0;
    let keys: string[] = [];
    const deleteUnknown = async () => {
      const known = new Set(await store.knownFiles({ keys }));
      for (const key of keys.filter((one) => !known.has(one))) {
        await places.delete(key);
        deleted++;
      }
      keys = [];
    };
    for await (const { key, changedAt } of places.list()) {
      if (this.#isStopped) return deleted;
      // The clock of the machine that has the bytes.
      if (changedAt > Date.now() - KEEP_MS) continue;
      keys.push(key);
      if (keys.length === AT_ONCE) await deleteUnknown();
    }
    await deleteUnknown();
    return deleted;
  }

  async #findMissing(): Promise<string[]> {
    const { store, places } = this.#parts;
    const missing: string[] = [];
    for (let after = ''; !this.#isStopped; ) {
      const page = await store.filesByKey({ after, limit: AT_ONCE });
      for (const file of page)
        if (hasBytes(file) && (await places.of(file.place).size(file.key)) === undefined)
          missing.push(file.key);
      if (page.length < AT_ONCE) break;
      after = page.at(-1)?.key ?? after;
    }
    return missing;
  }
}

function hasBytes({ state, received }: Pick<FileRow, 'state' | 'received'>): boolean {
  return state === 'ready' || (state === 'uploading' && received > 0);
}
