/** Runs commands within a transaction that somebody else begins and commits. */
import { WRITES } from '../queries/queries.ts';
import type { Steps } from '../queries/steps.ts';
import { WRITE_TRAITS } from '../queries/traits.ts';
import { Appender } from './appender.ts';
import type { StepRunner } from './database.ts';
import { codeOf, describe, type Sqlite } from './driver/driver.ts';
import { Savepoint } from './savepoint.ts';
import type { CommandFailure, WriteCommand } from './worker-messages.ts';

export interface BatchResults {
  /** One for each command, in order; undefined where a command failed. */
  results: unknown[];
  failures: CommandFailure[];
}

export class CommandRunner {
  readonly #steps: StepRunner;
  readonly #savepoint: Savepoint;
  readonly #appender: Appender;

  constructor(sqlite: Sqlite, steps: StepRunner) {
    this.#steps = steps;
    this.#savepoint = new Savepoint(sqlite);
    this.#appender = new Appender(sqlite);
  }

  /**
   * A command that fails by its own fault changes nothing, and the others go on. Throws when the whole batch must be
   * rolled back.
   */
  run(commands: readonly WriteCommand[]): BatchResults {
    const failures: CommandFailure[] = [];
    this.#appender.begin();
    const results = commands.map((command, index) => {
      try {
        return this.#execute(command);
      } catch (error) {
        if (!isOfOneCommand(error)) throw error;
        failures.push({ index, error: `${command.name}: ${describe(error)}` });
        return undefined;
      }
    });
    this.#appender.flush();
    return { results, failures };
  }

  #execute(command: WriteCommand): unknown {
    if (command.name === 'append') return this.#appender.append(command.args);
    this.#appender.flush();
    if (!WRITE_TRAITS[command.name].keepsAuthors) this.#appender.forgetAuthors();
    // The union of name and args is one of the pairs of WRITES; TypeScript cannot follow the pairing.
    const steps = WRITES[command.name] as (args: unknown) => Steps<unknown>;
    return this.#savepoint.around(() => this.#steps.run(steps(command.args)));
  }
}

/** Whether an error is a fault of the command alone, so that the rest of its batch can be stored. */
function isOfOneCommand(error: unknown): boolean {
  const code = codeOf(error);
  return !code.startsWith('SQLITE_') || /^SQLITE_(ERROR|TOOBIG|CONSTRAINT|MISMATCH|RANGE)(_|$)/.test(code);
}
