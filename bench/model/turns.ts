/** An event loop in the model: what arrives during a turn is taken together in the next one. */
import type { Thread } from './cpu.ts';

/** What a turn takes in CPU microseconds, and what it does at its end. */
export interface Turn {
  us: number;
  end(): void;
}

export class Turns<Input> {
  readonly #thread: Thread;
  readonly #turn: (inputs: readonly Input[]) => Turn;
  #inputs: Input[] = [];
  #isRunning = false;

  constructor(thread: Thread, turn: (inputs: readonly Input[]) => Turn) {
    this.#thread = thread;
    this.#turn = turn;
  }

  take(input: Input): void {
    this.#inputs.push(input);
    if (!this.#isRunning) this.#run();
  }

  #run(): void {
    const inputs = this.#inputs;
    this.#inputs = [];
    this.#isRunning = true;
    const { us, end } = this.#turn(inputs);
    this.#thread.run(us, () => {
      end();
      this.#isRunning = false;
      if (this.#inputs.length > 0) this.#run();
    });
  }
}
