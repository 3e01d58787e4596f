/** Where pictures are taken: one browser and one device at a time, in both themes. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Person } from '../person.ts';
import { type Seat, type TakenSeat, takeSeat } from '../seat.ts';
import { NOW } from './script.ts';
import type { World } from './world.ts';

export interface Device {
  readonly width: number;
  readonly context: BrowserContextOptions;
}

export const DEVICES: readonly Device[] = [
  { width: 1280, context: { viewport: { width: 1280, height: 800 } } },
  {
    width: 390,
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  },
];

const FOLDER = 'screenshots';

export class Studio {
  readonly world: World;
  readonly device: Device;
  readonly #browser: Browser;
  #seats: TakenSeat[] = [];

  constructor(browser: Browser, world: World, device: Device) {
    this.#browser = browser;
    this.world = world;
    this.device = device;
  }

  get isNarrow(): boolean {
    return this.device.width < 768;
  }

  /** Somebody in front of the device, at the time of the pictures. */
  async seat(seat: Seat = {}): Promise<Person> {
    const taken = await takeSeat(this.#browser, {
      origin: this.world.server.url,
      now: NOW,
      ...seat,
      context: { timezoneId: 'UTC', ...this.device.context, ...seat.context },
    });
    this.#seats.push(taken);
    return taken.person;
  }

  /** Writes what the person sees, in both themes. */
  async shoot(person: Person, name: string): Promise<void> {
    for (const theme of ['light', 'dark'] as const) {
      await this.shootTo(person, theme, join(FOLDER, `${name}-${this.device.width}-${theme}.png`));
    }
  }

  async shootTo(person: Person, theme: 'light' | 'dark', path: string): Promise<void> {
    await mkdir(join(path, '..'), { recursive: true });
    await person.page.emulateMedia({ colorScheme: theme });
    await person.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }

  /** Everybody goes. */
  async clear(): Promise<void> {
    const seats = this.#seats;
    this.#seats = [];
    await Promise.all(seats.map(({ close }) => close()));
  }
}
