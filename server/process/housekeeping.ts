/** What is done again and again: sweeping, deleting what has had its time, and backups. */
import type { ScheduledBackups } from '../data/backup/scheduled.ts';
import type { Store } from '../data/storage/store.ts';
import type { KeepLess } from '../features/administration/keep-less.ts';
import type { Sessions } from '../features/identity/sessions.ts';
import type { Now } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';

const PURGE_EVERY_MS = 3_600_000;
/** How often it is looked whether a backup, or the deletion of what is old, is due. */
const DUE_EVERY_MS = 600_000;

export interface HousekeepingParts {
  store: Pick<Store, 'purge'>;
  sessions: Pick<Sessions, 'sweep'>;
  keepLess: KeepLess;
  backups: ScheduledBackups;
  now: Now;
  log: Logger;
  /** Deletes the texts of removed accounts that remain. */
  deleteTexts(): void;
  /** Looks after the files that people upload. */
  tendFiles(): void;
}

export class Housekeeping {
  readonly #parts: HousekeepingParts;
  readonly #timers: readonly NodeJS.Timeout[];

  /** Texts of removed accounts are deleted now; the rest waits for its time. */
  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
    parts.deleteTexts();
    this.#timers = [
      setInterval(() => this.#purge(), PURGE_EVERY_MS),
      setInterval(() => this.doWhatIsDue(), DUE_EVERY_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Deletes old messages, makes a backup, and compares the folder of files with the database, if it is time. */
  doWhatIsDue(): void {
    const { keepLess, backups, log, tendFiles } = this.#parts;
    tendFiles();
    keepLess.run().catch((error) => log.warn({ err: error }, 'old messages remain; they are tried again'));
    backups.run().catch((error) => log.warn({ err: error }, 'whether a backup is due is not known'));
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#parts.keepLess.stop();
    this.#parts.backups.stop();
  }

  #purge(): void {
    const { store, sessions, now, log } = this.#parts;
    sessions.sweep();
    this.#parts.deleteTexts();
    store
      .purge({ now: now() })
      .catch((error) => log.warn({ err: error }, 'expired rows could not be deleted'));
  }
}
