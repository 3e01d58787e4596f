/**
 * One connection to the primary. Every statement has a deadline of our own: beyond it the socket is destroyed, so a
 * server or a network that is silent holds up nothing.
 */
import { Client, type QueryConfig } from 'pg';
import type { DatabaseAddress, Host } from '../../../platform/database-address.ts';
import { measures } from '../../../platform/metrics/measures.ts';
import { render, type Sql } from '../queries/sql.ts';
import { codeOf, DatabaseFailure, fateOf, isAway, UnsuitableServerError } from './failures.ts';
import { TYPES } from './values.ts';

const CONNECT_MS = 2000;

/** The server's own limits, for statements whose client is gone. */
const SESSION = {
  statement_timeout: 4000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 5000,
  application_name: 'roomful',
};
const SERVER_OPTIONS =
  '-c tcp_user_timeout=5000 -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=5';

/**
 * Whether it is a standby, and else which primary. A commit returns when it is on disk, here and on a synchronous
 * standby, whatever is set.
 */
const BEGIN_SESSION = `
  SELECT pg_backend_pid() AS pid, set_config('synchronous_commit',
      CASE WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
    (SELECT system_identifier::text FROM pg_control_system()) AS system,
    CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline,
    pg_postmaster_start_time()::text AS "startedAt"`;

/** Locks, settings and prepared statements are the session's. A pool lends each transaction another session. */
const POOLED = 'a connection pool such as PgBouncer responds there, and Roomful needs PostgreSQL itself';
/** What PgBouncer says to our session settings. */
const POOL_REFUSAL = 'unsupported startup parameter';

/** One run of a server that takes writes. */
export interface Primary {
  host: Host;
  /** The identifier of the cluster, which its copies have, too. */
  system: string;
  /** Each failover begins a new one, with a higher number. */
  timeline: number;
  startedAt: string;
}

interface Session {
  pid: number;
  system: string;
  timeline: string | null;
  startedAt: string;
}

/** A statement's name is its text: prepared once on each connection. */
const names = new Map<string, string>();

export class Connection {
  readonly #client: Client;
  #primary: Primary | undefined;
  #isLost = false;
  /** From its opening to its planned end. */
  #isInUse = false;
  #warning: string | undefined;
  readonly #onLost: (() => void)[] = [];

  private constructor(client: Client) {
    this.#client = client;
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') this.#warning = message;
    });
  }

  /** To this host. Rejects when it takes no writes, or is away. */
  static async openTo(host: Host, { user, password, database, ssl }: DatabaseAddress): Promise<Connection> {
    const client = new Client({
      ...{ ...host, user, password, database, ...SESSION, options: SERVER_OPTIONS, types: TYPES },
      ssl: ssl === 'disable' ? false : { rejectUnauthorized: ssl === 'verify-full' },
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    });
    const connection = new Connection(client);
    client.on('error', () => connection.#lose());
    client.on('end', () => connection.#lose());
    await client.connect().catch((error: unknown) => {
      throw isUnsuitable(error) ? new UnsuitableServerError(POOLED) : error;
    });
    // Without a name: a pool may have prepared that one on this session for somebody else.
    const [session] = await connection.#run<Session>({ text: BEGIN_SESSION }, CONNECT_MS);
    // A pool gives each client a number of its own.
    const isPooled = session?.pid !== (client as unknown as { processID: number }).processID;
    if (session !== undefined && session.timeline !== null && !isPooled) {
      const { system, timeline, startedAt } = session;
      connection.#primary = { host, system, timeline: Number.parseInt(timeline, 16), startedAt };
      return connection;
    }
    connection.destroy();
    throw isPooled ? new UnsuitableServerError(POOLED) : new Error(`${host.host}:${host.port} is a standby`);
  }

  /** It is in use from now on: its loss is counted, unless it is closed. */
  use(): void {
    this.#isInUse = true;
  }

  /** The server at its other end. */
  get primary(): Primary {
    if (!this.#primary) throw new Error('the connection is not open');
    return this.#primary;
  }

  /** Nothing more can be done with it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Calls `listener` once, when the connection is lost or closed. */
  onLost(listener: () => void): void {
    this.#onLost.push(listener);
  }

  /** The rows of a statement. Rejects with a DatabaseFailure. */
  async query<Row>(statement: Sql, deadlineMs: number): Promise<Row[]> {
    const text = render(statement, (position) => `$${position}`);
    return await this.#run<Row>({ name: nameOf(text), text, values: [...statement.values] }, deadlineMs);
  }

  /** The first column of the only row of a call, which is a transaction of its own. Rejects with a DatabaseFailure. */
  async call<T>(text: string, values: readonly unknown[], deadlineMs: number): Promise<T> {
    const query = { name: nameOf(text), text, values: [...values] };
    const [row] = await this.#committing(() => this.#run<{ result: T }>(query, deadlineMs));
    if (!row) throw new Error('a call returned no row');
    return row.result;
  }

  /** Ends a transaction. Rejects with a DatabaseFailure. */
  async commit(statement: Sql, deadlineMs: number): Promise<void> {
    await this.#committing(() => this.query(statement, deadlineMs));
  }

  /**
   * The outcome is not known when the server warns: a wait for its standby that was cancelled ends with a warning, and
   * the commit may be lost in a failover.
   */
  async #committing<T>(body: () => Promise<T>): Promise<T> {
    this.#warning = undefined;
    const result = await body();
    if (this.#warning !== undefined) throw new DatabaseFailure(this.#warning, 'unknown');
    return result;
  }

  /** Several statements without values, of the migrations. */
  async script(text: string, deadlineMs: number): Promise<void> {
    const deadline = setTimeout(() => this.destroy(), deadlineMs);
    try {
      await this.#client.query(`SET LOCAL statement_timeout = 0; ${text}`);
    } catch (error) {
      throw this.#explain(error);
    } finally {
      clearTimeout(deadline);
    }
  }

  async #run<Row>(query: QueryConfig, deadlineMs: number): Promise<Row[]> {
    if (this.#isLost) throw new DatabaseFailure('the connection is lost', 'unsent');
    const deadline = setTimeout(() => this.destroy(), deadlineMs);
    try {
      const { rows } = await this.#client.query(query);
      return rows as Row[];
    } catch (error) {
      throw this.#explain(error);
    } finally {
      clearTimeout(deadline);
    }
  }

  /** At once, whatever the other side does. */
  destroy(): void {
    this.#lose();
    const { stream } = (this.#client as unknown as { connection: { stream: { destroy(): void } } })
      .connection;
    stream.destroy();
  }

  async close(): Promise<void> {
    this.#isInUse = false;
    if (!this.#isLost) await this.#client.end();
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    if (this.#isInUse) measures.connectionsLost++;
    for (const listener of this.#onLost) listener();
  }

  #explain(error: unknown): DatabaseFailure {
    const code = codeOf(error);
    const message = error instanceof Error ? error.message : String(error);
    if (isAway(code)) this.destroy();
    // What the server answers with an error it has rolled back; without an answer nothing is known.
    return new DatabaseFailure(message, code === undefined ? 'unknown' : fateOf(code), code);
  }
}

function isUnsuitable(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(POOL_REFUSAL);
}

/** A name with several addresses fails with a reason for each. */
export function describeFailure(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(describeFailure).join(', ');
  return reason instanceof Error ? reason.message : String(reason);
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
