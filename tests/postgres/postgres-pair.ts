/** A PostgreSQL with a standby, which each commit waits for or does not. */
import { eventually } from '../support/eventually.ts';
import { PostgresServer } from '../support/postgres.ts';

const STANDBY = 'standby';

export class PostgresPair {
  /** They change places in a second failover. */
  primary: PostgresServer;
  standby: PostgresServer;
  readonly #database: string;
  readonly #all: PostgresServer[];
  /** Names both hosts, the first primary first. */
  readonly url: string;

  private constructor(primary: PostgresServer, standby: PostgresServer, database: string) {
    this.primary = primary;
    this.standby = standby;
    this.#database = database;
    this.#all = [primary, standby];
    this.url = database.replace(hostOf(primary), `${hostOf(primary)},${hostOf(standby)}`);
  }

  static async start({ isSynchronous }: { isSynchronous: boolean }): Promise<PostgresPair> {
    const primary = await PostgresServer.startOwn();
    const database = await primary.createDatabase();
    const standby = await primary.startStandby(STANDBY);
    await follow(primary, isSynchronous);
    return new PostgresPair(primary, standby, database);
  }

  /** The epoch that one of them holds. */
  async epochOf(server: PostgresServer): Promise<string> {
    const url = this.#database.replace(/@[^/]*\//, `@${hostOf(server)}/`);
    const [row] = await server.run("SELECT value FROM meta WHERE key = 'epoch'", url);
    return String(row?.value);
  }

  /** The standby no longer receives what the primary writes. */
  async separate(): Promise<void> {
    await this.standby.set('primary_conninfo', '');
    await eventually('separated', async () => {
      const rows = await this.primary.run('SELECT 1 FROM pg_stat_replication');
      return rows.length === 0 ? true : undefined;
    });
  }

  /** Kills the primary, and promotes the standby. */
  async failOver(): Promise<void> {
    await this.primary.kill();
    await this.standby.run('SELECT pg_promote(true, 60)');
  }

  /**
   * After a failover: makes a synchronous standby anew in the place of the old primary, which must have ended. Then
   * `standby` follows `primary` again.
   */
  async rebuild(): Promise<void> {
    const [old, promoted] = [this.primary, this.standby];
    this.primary = promoted;
    this.standby = await promoted.startStandby(STANDBY, Number(new URL(old.url).port));
    this.#all.push(this.standby);
    await follow(promoted, true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#all) await server[Symbol.asyncDispose]();
  }
}

/** Each commit of the primary waits for the standby, or does not. */
async function follow(primary: PostgresServer, isSynchronous: boolean): Promise<void> {
  if (isSynchronous) await primary.set('synchronous_standby_names', `ANY 1 (${STANDBY})`);
  const state = isSynchronous ? 'quorum' : 'async';
  await eventually('the standby follows', async () => {
    const rows = await primary.run(`SELECT 1 FROM pg_stat_replication WHERE sync_state = '${state}'`);
    return rows.length > 0 ? true : undefined;
  });
}

function hostOf(server: PostgresServer): string {
  return new URL(server.url).host;
}
