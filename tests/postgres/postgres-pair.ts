/** A PostgreSQL with a standby, which each commit waits for or does not. */
import { eventually } from '../support/eventually.ts';
import { PostgresServer } from '../support/postgres.ts';

const STANDBY = 'standby';

export class PostgresPair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  readonly #database: string;

  private constructor(primary: PostgresServer, standby: PostgresServer, database: string) {
    this.primary = primary;
    this.standby = standby;
    this.#database = database;
  }

  static async start({ isSynchronous }: { isSynchronous: boolean }): Promise<PostgresPair> {
    const primary = await PostgresServer.startOwn();
    const database = await primary.createDatabase();
    const standby = await primary.startStandby(STANDBY);
    if (isSynchronous) await primary.set('synchronous_standby_names', `ANY 1 (${STANDBY})`);
    const state = isSynchronous ? 'quorum' : 'async';
    await eventually('the standby follows', async () => {
      const rows = await primary.run(`SELECT 1 FROM pg_stat_replication WHERE sync_state = '${state}'`);
      return rows.length > 0 ? true : undefined;
    });
    return new PostgresPair(primary, standby, database);
  }

  /** Names both hosts, the primary first. */
  get url(): string {
    return this.#database.replace(hostOf(this.primary), `${hostOf(this.primary)},${hostOf(this.standby)}`);
  }

  /** The epoch that one of them holds. */
  async epochOf(server: PostgresServer): Promise<string> {
    const url = this.#database.replace(hostOf(this.primary), hostOf(server));
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.primary[Symbol.asyncDispose]();
    await this.standby[Symbol.asyncDispose]();
  }
}

function hostOf(server: PostgresServer): string {
  return new URL(server.url).host;
}
