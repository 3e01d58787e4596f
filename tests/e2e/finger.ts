/** One finger, as the browser gets it from the screen. */
import type { CDPSession, Locator } from 'playwright-core';
import type { Person } from './person.ts';

/** Between two moves, by the clock of the touches: how fast a finger is does not depend on the machine. */
const STEP_MS = 16;

export class Finger {
  readonly #devtools: CDPSession;
  #at = { x: 0, y: 0 };
  #time = 0;

  private constructor(devtools: CDPSession) {
    this.#devtools = devtools;
  }

  static async of({ page }: Person): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  /** On the text of a message. */
  async downOn(person: Person, content: string, { x = 20 } = {}): Promise<void> {
    // Near its upper edge: the browser moves a touch that comes close to a button, as a reaction below is, onto it.
    await this.down(person.message(content).getByTestId('message-content'), { x, y: 1 / 6 });
  }

  /** Pixels from the left, or a part of the width; and a part of the height. */
  async down(target: Locator, { x = 0.5, y = 0.5 } = {}): Promise<void> {
    const box = await target.boundingBox();
    if (box === null) throw new Error('this is not in sight');
    this.#at = { x: box.x + (x < 1 ? box.width * x : x), y: box.y + box.height * y };
    this.#time = Date.now();
    await this.#touch('touchStart', [this.#at]);
  }

  /** Upwards, and to the right. */
  async move(up: number, right = 0): Promise<void> {
    this.#at = { x: this.#at.x + right, y: this.#at.y - up };
    this.#time += STEP_MS;
    await this.#touch('touchMove', [this.#at]);
  }

  /** `rested`: it lay still before that. */
  async up({ rested = false } = {}): Promise<void> {
    this.#time += rested ? 40 * STEP_MS : 0;
    await this.#touch('touchEnd', []);
  }

  async #touch(type: TouchParams['type'], touchPoints: TouchParams['touchPoints']): Promise<void> {
    const timestamp = this.#time / 1000;
    await this.#devtools.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
  }
}

interface TouchParams {
  type: 'touchStart' | 'touchMove' | 'touchEnd';
  touchPoints: { x: number; y: number }[];
}
