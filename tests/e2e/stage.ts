/** The setting of the browser tests: one real server per group, one browser per process, fresh contexts per test. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, signUp, uniqueName } from '../support/users.ts';
import { chromiumPath, NO_CHROMIUM, sharedBrowser } from './chromium.ts';
import { CuttableProxy } from './cuttable-proxy.ts';
import type { Person } from './person.ts';
import { type Seat, type TakenSeat, takeSeat } from './seat.ts';

const FAILURES_DIR = join('reports', 'e2e');

interface StageOptions {
  /** The tests look at notifications, which only the whole browser shows. */
  notifies?: boolean;
  /** The browsers have the client's service worker, which takes about a second of CPU to store the whole client. */
  worker?: boolean;
}

export class Stage {
  readonly #settings: Record<string, string>;
  readonly #options: StageOptions;
  readonly #seats: TakenSeat[] = [];
  #server: ServerProcess | null = null;
  #browser: Browser | null = null;

  constructor(settings: Record<string, string>, options: StageOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  get server(): ServerProcess {
    if (this.#server === null) throw new Error('the stage is not open');
    return this.#server;
  }

  async open(): Promise<void> {
    [this.#server, this.#browser] = await Promise.all([
      ServerProcess.start({ env: this.#settings }),
      sharedBrowser({ notifies: this.#options.notifies === true }),
    ]);
  }

  async close(): Promise<void> {
    await this.#server?.dispose();
  }

  /**
   * Waits until every page is served by its service worker. From then on it needs no server for any part of the client.
   * A seat without a worker needs one for each part that it has not shown yet.
   */
  async kept(): Promise<void> {
    const contexts = this.#seats.map(({ person }) => person.page.context());
    const pages = contexts.flatMap((context) => context.pages());
    await Promise.all(
      pages.map((page) => page.waitForFunction(() => navigator.serviceWorker?.controller !== null)),
    );
  }

  /** Kills the server, once the pages need it for their data alone. */
  async killServer(): Promise<void> {
    await this.kept();
    await this.server.kill();
  }

  /** Stops the server, once the pages need it for their data alone. */
  async stopServer(): Promise<void> {
    await this.kept();
    await this.server.stop();
  }

  /** A proxy before the server, for the origin of a seat. It is cut once the pages need it for their data alone. */
  async proxy({ host }: { host?: string } = {}): Promise<CuttableProxy> {
    return await CuttableProxy.start(this.server, { host, beforeCut: () => this.kept() });
  }

  /** A new account, made over the interface; its name begins with the given one. */
  async account(name: string): Promise<Login> {
    return await signUp(this.server, uniqueName(name));
  }

  /** A user with a browser of their own. By default the server itself serves the page, which has no service worker. */
  async seat(seat: Seat = {}): Promise<Person> {
    if (this.#browser === null) throw new Error('the stage is not open');
    // A page that comes through a proxy is to be cut from its server.
    const worker = this.#options.worker || seat.origin !== undefined;
    const taken = await takeSeat(this.#browser, { origin: this.server.url, worker, ...seat });
    this.#seats.push(taken);
    return taken.person;
  }

  /** Takes a picture of every page of a failed test, and requires a console without errors. */
  async clear(test: { name: string; failed: boolean }): Promise<void> {
    const seats = this.#seats.splice(0);
    if (test.failed) {
      await mkdir(FAILURES_DIR, { recursive: true });
      const name = test.name.replaceAll(/[^a-z0-9]+/giu, '-').slice(0, 80);
      for (const [index, { person }] of seats.entries()) {
        if (person.page.isClosed()) continue;
        await person.page.screenshot({ path: join(FAILURES_DIR, `${name}-${index + 1}.png`) });
      }
    }
    const surprises = seats.flatMap(({ person }) => person.console.surprises);
    await Promise.all(seats.map(({ close }) => close()));
    // A test that failed while the server was down must not fail the next one.
    if (!this.server.isRunning) await this.server.restart();
    if (!test.failed) expect(surprises, `the console has no errors: ${surprises.join('; ')}`).toEqual([]);
  }
}

/**
 * A group of tests in the browser; without one they are skipped, and the reason is printed. The pages have a service
 * worker only where a proxy serves them.
 */
export function onStage(
  title: string,
  play: (stage: Stage) => void,
  settings: Record<string, string> = {},
  options: StageOptions = {},
): void {
  if (chromiumPath === undefined) console.warn(`skipped: ${title}. ${NO_CHROMIUM}`);
  describe.skipIf(chromiumPath === undefined)(title, () => {
    const stage = new Stage(settings, options);
    beforeAll(() => stage.open());
    afterAll(() => stage.close());
    afterEach(({ task }) => stage.clear({ name: task.name, failed: task.result?.state === 'fail' }));
    play(stage);
  });
}

/** A group of tests whose pages have their service worker: it keeps the client while the server is away. */
export function onStageWithWorker(
  title: string,
  play: (stage: Stage) => void,
  settings: Record<string, string> = {},
  options: StageOptions = {},
): void {
  onStage(title, play, settings, { ...options, worker: true });
}

/** Polls until the expectation holds: `await soon(() => ann.contents()).toEqual([…])`. */
export function soon<T>(look: () => Promise<T> | T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: 20_000, interval: 50 });
}
