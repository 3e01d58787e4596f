/** The environment in which the client is measured: a real server with a long history, and a real browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession } from 'playwright-core';
import { ME } from '../../demo/people.ts';
import { PASSWORD, type SeededWorld, seedWorld } from '../../demo/seed.ts';
import type { World } from '../../demo/world.ts';
import { launchChromium } from '../../tests/e2e/chromium.ts';
import type { Person } from '../../tests/e2e/person.ts';
import { type Seat, type TakenSeat, takeSeat } from '../../tests/e2e/seat.ts';
import { ServerProcess } from '../../tests/support/server-process.ts';
import { type Login, logIn } from '../../tests/support/users.ts';
import { ROOMFUL_SETTINGS } from '../contenders/roomful.ts';
import { planBench } from './world.ts';

const VIEWPORT = { width: 1280, height: 800 };

export interface Place {
  readonly person: Person;
  readonly devtools: CDPSession;
  readonly close: () => Promise<void>;
}

export class Stage {
  readonly server: ServerProcess;
  readonly world: World;
  readonly me: Login;
  readonly #folder: string;
  readonly #seeded: SeededWorld;
  readonly #browser: Browser;

  private constructor(
    folder: string,
    parts: { server: ServerProcess; world: World; me: Login; seeded: SeededWorld; browser: Browser },
  ) {
    this.#folder = folder;
    this.server = parts.server;
    this.world = parts.world;
    this.me = parts.me;
    this.#seeded = parts.seeded;
    this.#browser = parts.browser;
  }

  static async open(messages: number): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'roomful-bench-'));
    const world = planBench(messages);
    const seeded = await seedWorld(join(folder, 'data'), world);
    const { PORT: _, HOST: __, ...env } = ROOMFUL_SETTINGS;
    const server = await ServerProcess.start({ dataDir: folder, env });
    const me = await logIn(server, ME, PASSWORD);
    return new Stage(folder, { server, world, me, seeded, browser: await launchChromium() });
  }

  roomId(name: string): number {
    const id = this.#seeded.roomIds.get(name);
    if (id === undefined) throw new Error(`no room is called ${name}`);
    return id;
  }

  /** Logs another user of the demo in. */
  logIn(name: string): Promise<Login> {
    return logIn(this.server, name, PASSWORD);
  }

  /** Opens a browser without a cache, by default at the client's start page. */
  async seat(seat: Seat = {}): Promise<Place> {
    const context = { viewport: VIEWPORT, serviceWorkers: 'block' as const };
    const taken: TakenSeat = await takeSeat(this.#browser, {
      origin: this.server.url,
      context,
      cold: true,
      ...seat,
    });
    const { page } = taken.person;
    return {
      person: taken.person,
      devtools: await page.context().newCDPSession(page),
      close: taken.close,
    };
  }

  /** The one who is measured, in a room. */
  async enter(room: string): Promise<Place> {
    const place = await this.seat({ login: this.me, path: `/rooms/${this.roomId(room)}` });
    await place.person.isIn(room);
    return place;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
