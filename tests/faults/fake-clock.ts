/** A wall clock that a test can set while the server runs (libfaketime). The monotonic clock stays as it is. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process caches the offset that it read. */
const CACHED_S = 1;

export class FakeClock {
  readonly #folder: string;
  readonly #library: string;

  private constructor(folder: string, library: string) {
    this.#folder = folder;
    this.#library = library;
  }

  static async make(): Promise<FakeClock> {
    const library = findLibrary();
    if (library === undefined) throw new Error('libfaketime is not installed');
    const clock = new FakeClock(await mkdtemp(join(tmpdir(), 'roomful-clock-')), library);
    await clock.#write(0);
    return clock;
  }

  /** The environment of a process that uses this clock. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: String(CACHED_S),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    };
  }

  /** Sets the clock to this number of seconds from the real time; resolves when the process has seen it. */
  async jumpTo(offsetS: number): Promise<void> {
    await this.#write(offsetS);
    await sleep(CACHED_S * 1000 + 200);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }

  get #file(): string {
    return join(this.#folder, 'offset');
  }

  async #write(offsetS: number): Promise<void> {
    await writeFile(`${this.#file}.new`, `${offsetS < 0 ? '' : '+'}${offsetS}\n`);
    await rename(`${this.#file}.new`, this.#file);
  }
}

/** The reason why the clock cannot be faked here, or undefined when it can. */
export function whyNoFakeClock(): string | undefined {
  return findLibrary() === undefined ? 'libfaketime is not installed (apt-get install faketime)' : undefined;
}

function findLibrary(): string | undefined {
  // In the folder of the machine's architecture, such as x86_64-linux-gnu.
  return readdirSync('/usr/lib')
    .map((kind) => join('/usr/lib', kind, 'faketime', 'libfaketimeMT.so.1'))
    .find((path) => existsSync(path));
}
