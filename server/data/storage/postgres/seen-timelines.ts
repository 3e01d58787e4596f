/**
 * The highest timeline of PostgreSQL that was seen of each cluster, in the data folder, where a restart finds it. A
 * host on a lower one was left behind by a failover. A timeline is the name of an empty file, so that several processes
 * of one folder cannot undo what another has noted.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../../platform/durable.ts';
import { createDataDir } from '../sqlite/data-dir.ts';

const FOLDER = 'timelines';
const FORM = /^(\d+)-(\d+)$/;

export class SeenTimelines {
  readonly #folder: string | undefined;
  readonly #onUnwritable: (error: unknown) => void;
  readonly #highest = new Map<string, number>();

  /** Without a data folder they are remembered until the process ends. `onUnwritable`: the folder takes no file. */
  constructor(dataDir?: string, onUnwritable: (error: unknown) => void = () => undefined) {
    this.#folder = dataDir === undefined ? undefined : join(dataDir, FOLDER);
    this.#onUnwritable = onUnwritable;
    if (this.#folder !== undefined) this.#raiseTo(namesIn(this.#folder));
  }

  /** 0: none was seen by this process, or by others of the folder before the last `refresh`. */
  highestOf(system: string): number {
    return this.#highest.get(system) ?? 0;
  }

  /** Reads what other processes of the folder have noted. */
  async refresh(): Promise<void> {
    // Nothing was noted yet, or a write says what is wrong.
    if (this.#folder !== undefined) this.#raiseTo(await readdir(this.#folder).catch(() => []));
  }

  /** It was seen. Returns whether it is higher than all before. */
  note(system: string, timeline: number): boolean {
    const before = this.highestOf(system);
    if (timeline <= before) return false;
    this.#raise(system, timeline);
    this.#write(system, timeline);
    return true;
  }

  #raise(system: string, timeline: number): void {
    if (timeline > (this.#highest.get(system) ?? 0)) this.#highest.set(system, timeline);
  }

  #raiseTo(names: readonly string[]): void {
    for (const [system, timeline] of notedBy(names)) this.#raise(system, timeline);
  }

  /** Once in a failover, and not in the course of work. */
  #write(system: string, timeline: number): void {
    if (this.#folder === undefined) return;
    try {
      createDataDir(this.#folder);
      writeFileSync(join(this.#folder, `${system}-${timeline}`), '', { mode: 0o600 });
      syncFolder(this.#folder);
      for (const [other, lower] of notedBy(namesIn(this.#folder)))
        if (other === system && lower < timeline)
          rmSync(join(this.#folder, `${other}-${lower}`), { force: true });
    } catch (error) {
      this.#onUnwritable(error);
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function notedBy(names: readonly string[]): [system: string, timeline: number][] {
  return names.flatMap((name): [string, number][] => {
    const [, system = '', timeline = ''] = FORM.exec(name) ?? [];
    return system === '' ? [] : [[system, Number(timeline)]];
  });
}
