/** Runs commands within a transaction that somebody else begins and commits. */
import { WRITES } from '../queries/queries.ts';
import type { Steps } from '../queries/steps.ts';
import { WRITE_TRAITS } from '../queries/traits.ts';
import { Appender } from './appender.ts';
import { BatchMemory } from './batch-memory.ts';
import { StepRunner } from './database.ts';
import { codeOf, describe, type Sqlite } from './driver/driver.ts';
import { Savepoint } from './savepoint.ts';
import type { CommandFailure, WriteCommand } from './worker-messages.ts';

export interface BatchResults {
  /** One for each command, in order; undefined where a command failed. */
  results: unknown[];
  failures: CommandFailure[];
}

export class CommandRunner {
  readonly #memory: BatchMemory;
  readonly #steps: StepRunner;
  readonly #savepoint: Savepoint;
  readonly #appender: Appender;
  readonly #startOver: () => void;

  /** `startOver` undoes what was written since the transaction began. */
  constructor(sqlite: Sqlite, startOver: () => void = () => sqlite.exec('ROLLBACK; BEGIN IMMEDIATE')) {
    this.#memory = new BatchMemory(sqlite);
    this.#steps = new StepRunner(sqlite, this.#memory);
    this.#savepoint = new Savepoint(sqlite);
    this.#appender = new Appender(sqlite, this.#memory);
    this.#startOver = startOver;
  }

  /**
   * A command that fails by its own fault changes nothing, and the others go on. Throws when the whole batch must be
   * rolled back.
   */
  run(commands: readonly WriteCommand[]): BatchResults {
    this.#appender.begin();
    try {
      return { results: this.#runAll(commands), failures: [] };
    } catch (error) {
      if (!isOfOneCommand(error)) throw error;
      // Hardly any command ever fails, and a savepoint around each costs a tenth of its time.
      this.#startOver();
      this.#appender.begin();
      return this.#runEach(commands);
    }
  }

  #runAll(commands: readonly WriteCommand[]): unknown[] {
    this.#memory.begin();
    const results: unknown[] = new Array(commands.length);
    for (let at = 0; at < commands.length; at++) results[at] = this.#execute(commands[at] as WriteCommand);
    this.#memory.flush();
    return results;
  }

  /** Each command in a savepoint, as if it were a batch of its own. */
  #runEach(commands: readonly WriteCommand[]): BatchResults {
    const failures: CommandFailure[] = [];
    const results = commands.map((command, index) => {
      try {
        return this.#savepoint.around(() => this.#runAll([command])[0]);
      } catch (error) {
        if (!isOfOneCommand(error)) throw error;
        failures.push({ index, error: `${command.name}: ${describe(error)}` });
        return undefined;
      }
    });
    return { results, failures };
  }

  #execute(command: WriteCommand): unknown {
    if (command.name === 'append') return this.#appender.append(command.args);
    if (!WRITE_TRAITS[command.name].keepsAuthors) this.#appender.forgetAuthors();
    // The union of name and args is one of the pairs of WRITES; TypeScript cannot follow the pairing.
    const steps = WRITES[command.name] as (args: unknown) => Steps<unknown>;
    return this.#steps.run(steps(command.args));
  }
}

/** Whether an error is a fault of the command alone, so that the rest of its batch can be stored. */
function isOfOneCommand(error: unknown): boolean {
  const code = codeOf(error);
  return !code.startsWith('SQLITE_') || /^SQLITE_(ERROR|TOOBIG|CONSTRAINT|MISMATCH|RANGE)(_|$)/.test(code);
}
