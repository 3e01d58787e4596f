/**
 * The backups that the running server makes (BACKUP_DIR). One process of several makes each. It runs the command
 * `roomful backup` as a process of its own: checking a database is much work, and must not delay the server.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Now } from '../../platform/clock.ts';
import type { BackupSettings } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { measures } from '../../platform/metrics/measures.ts';
import type { Store, Task } from '../storage/store.ts';

const COMMAND = fileURLToPath(new URL('../../process/cli/main.js', import.meta.url));
const HOUR_MS = 3_600_000;
/** The process that has the turn says so again in half of this time; a killed one is followed by another after it. */
const TURN_MS = 600_000;
const RETRY_MS = HOUR_MS;
const DEADLINE_MS = 12 * HOUR_MS;
/** What the command said last is enough to explain its failure. */
const TOLD_MAX = 2000;

export interface ScheduledBackupsOptions {
  store: Pick<Store, 'takeTurn' | 'setTurn'>;
  settings: BackupSettings | undefined;
  now: Now;
  log: Logger;
}

export class ScheduledBackups {
  readonly #options: ScheduledBackupsOptions;
  readonly #stop = new AbortController();

  constructor(options: ScheduledBackupsOptions) {
    this.#options = options;
  }

  /** Ends the backup that is being made; the next start makes another. */
  stop(): void {
    this.#stop.abort();
  }

  /** Makes a backup if one is due, unless another process does. */
  async run(): Promise<void> {
    const { store, settings, now, log } = this.#options;
    if (!settings) return;
    const begunAt = now();
    // Each folder has its own time: one that was not used before gets a backup at once.
    const task: Task = `backup to ${settings.into}`;
    if (!(await store.takeTurn({ task, now: begunAt, until: begunAt + TURN_MS }))) return;
    const keep = setInterval(() => {
      store.setTurn({ task, until: now() + TURN_MS }).catch(() => undefined);
    }, TURN_MS / 2);
    const { failure, told } = await this.#make(settings).finally(() => clearInterval(keep));
    if (this.#stop.signal.aborted) return await store.setTurn({ task, until: now() });
    if (failure) {
      measures.backupsFailed++;
      log.error({ told }, 'a backup failed, and is tried again in an hour');
    } else log.info({ told }, 'a backup was made');
    await store.setTurn({
      task,
      until: failure ? now() + RETRY_MS : begunAt + settings.everyHours * HOUR_MS,
    });
  }

  async #make({ into, keep }: BackupSettings): Promise<{ failure: boolean; told: string }> {
    const args = [COMMAND, 'backup', '--into', into, '--keep', String(keep)];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    let told = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        told = (told + text).slice(-TOLD_MAX);
      });
    child.on('error', (error) => {
      told += error.message;
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { failure: code !== 0, told: told.trim() };
  }
}
