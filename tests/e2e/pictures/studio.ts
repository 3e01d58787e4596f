/** Where pictures are taken: one browser and one device at a time, in both themes and both languages. */
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

/** A window of a desktop, or a phone below 600 pixels. */
export function deviceOf(width: number): Device {
  if (width >= 600)
    return {
      width,
      // 1024 x 768, 1280 x 800, 1440 x 900, 2560 x 1440
      context: {
        viewport: {
          width,
          height: width > 2000 ? 1440 : Math.min(900, width < 1100 ? width * 0.75 : (width * 5) / 8),
        },
      },
    };
  return {
    width,
    context: { viewport: { width, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  };
}

/** The widths of the pictures unless others are asked for. */
export const WIDTHS: readonly number[] = [1280, 390];

const FOLDER = 'screenshots';
/** `forced`: the colours of the system alone, as in a high-contrast mode. Taken in English only. */
const THEMES = ['light', 'dark', 'forced'] as const;
type Theme = (typeof THEMES)[number];
/** English first: the screens are prepared in it. */
const LANGUAGES = ['en', 'zh'] as const;
type Language = (typeof LANGUAGES)[number];

/** Takes the pictures of one screen. */
export type Screen = (studio: Studio) => Promise<void>;

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
    // Loads all languages now, as the page may go offline later.
    for (const language of LANGUAGES.toReversed()) await speak(taken.person, language);
    return taken.person;
  }

  /**
   * Writes what the person sees, in both languages, both themes and forced colours. What the client has put in words
   * already, as an error, is said in another language only when it happens again.
   */
  async shoot(person: Person, name: string, again?: () => Promise<void>): Promise<void> {
    for (const language of LANGUAGES) {
      if (language !== 'en') await speak(person, language, again);
      for (const theme of THEMES) {
        if (theme === 'forced' && language !== 'en') continue;
        await this.shootTo(
          person,
          theme,
          join(FOLDER, `${name}-${this.device.width}-${theme}-${language}.png`),
        );
      }
    }
    await speak(person, 'en', again);
  }

  async shootTo(person: Person, theme: Theme, path: string): Promise<void> {
    await mkdir(join(path, '..'), { recursive: true });
    await person.page.emulateMedia({
      colorScheme: theme === 'forced' ? 'dark' : theme,
      forcedColors: theme === 'forced' ? 'active' : 'none',
    });
    await person.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }

  /** Writes what a printer would get of the page that the person sees, in the width of A4. Last in a screen. */
  async shootPaper({ page }: Person, name: string): Promise<void> {
    await mkdir(FOLDER, { recursive: true });
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark', forcedColors: 'none' });
    // As a browser does before it prints.
    await page.evaluate(async () => {
      const images = [...document.images];
      for (const image of images) image.loading = 'eager';
      await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
    });
    await page.screenshot({ path: join(FOLDER, `${name}-paper.png`), fullPage: true });
  }

  /** Closes all browsers. */
  async clear(): Promise<void> {
    const seats = this.#seats;
    this.#seats = [];
    await Promise.all(seats.map(({ close }) => close()));
  }
}

/** As if another tab of theirs had chosen the language. */
async function speak(person: Person, language: Language, again?: () => Promise<void>): Promise<void> {
  await person.page.evaluate((chosen) => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'chat_language', newValue: chosen }));
  }, language);
  await person.page.locator(`html[lang^=${language}]`).waitFor({ state: 'attached' });
  await again?.();
}
