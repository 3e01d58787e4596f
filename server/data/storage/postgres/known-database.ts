/**
 * The database whose commits this process knows of: the one of its epoch. Where another one answers, or that one has
 * lost what it acknowledged, the process must end. Its successor begins with what is there.
 */
import type { Connection } from './connection.ts';
import { retryably } from './failures.ts';
import type { Primaries } from './primaries.ts';
import { currentEpoch, renewEpoch } from './timeline.ts';

const LOST = 'the database has lost what it had acknowledged: clients must read it anew';
const OTHER_EPOCH = 'the database was failed over and may have lost messages: clients must read it anew';

export interface KnownDatabaseParts {
  primaries: Primaries;
  epoch: string;
  /** This process must end. */
  onFatal(error: Error): void;
}

export class KnownDatabase {
  readonly #parts: KnownDatabaseParts;

  constructor(parts: KnownDatabaseParts) {
    this.#parts = parts;
  }

  /** Rejects, and ends the process, where another database answers. */
  async connect(): Promise<Connection> {
    const connection = await this.#parts.primaries.open();
    try {
      this.mustHave(await currentEpoch(connection));
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Ends the process when the database has another epoch than this one. */
  mustHave(epoch: string): void {
    if (epoch !== this.#parts.epoch) this.end(OTHER_EPOCH);
  }

  /** Whether a higher timeline is found now, so that what was read before may be of the old primary. */
  async wasFailedOver(): Promise<boolean> {
    const { primaries } = this.#parts;
    const before = primaries.failovers;
    await retryably(primaries.look());
    return primaries.failovers !== before;
  }

  /** Begins a new epoch: commits of this one are known to be lost. Then the process must end. */
  async renewEpoch(connection: Connection): Promise<void> {
    await renewEpoch(connection, this.#parts.epoch);
  }

  /** Its commits were lost. */
  endAsLost(): never {
    return this.end(LOST);
  }

  end(why: string): never {
    const error = new Error(why);
    this.#parts.onFatal(error);
    throw error;
  }
}
