/**
 * The highest timeline of PostgreSQL that was seen of each cluster, in the data folder, where a restart finds it. A host
 * on a lower one was left behind by a failover. A timeline is the name of an empty file, so that several processes of
 * one folder cannot undo what another has noted.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../backup/durable.ts';
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
  }

  /** 0: none was seen. */
  highestOf(system: string): number {
    for (const [named, timeline] of this.#noted()) this.#raise(named, timeline);
    return this.#highest.get(system) ?? 0;
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

  #noted(): [system: string, timeline: number][] {
    if (this.#folder === undefined) return [];
    let names: string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      // Nothing was noted yet, or a write says what is wrong.
      return [];
    }
    return names.flatMap((name): [string, number][] => {
      const [, system = '', timeline = ''] = FORM.exec(name) ?? [];
      return system === '' ? [] : [[system, Number(timeline)]];
    });
  }

  #write(system: string, timeline: number): void {
    if (this.#folder === undefined) return;
    try {
      createDataDir(this.#folder);
      writeFileSync(join(this.#folder, `${system}-${timeline}`), '', { mode: 0o600 });
      syncFolder(this.#folder);
      for (const [other, lower] of this.#noted())
        if (other === system && lower < timeline)
          rmSync(join(this.#folder, `${other}-${lower}`), { force: true });
    } catch (error) {
      this.#onUnwritable(error);
    }
  }
}
