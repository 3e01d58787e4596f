/**
 * Which of the hosts of the address is the primary. After a failover the old primary may come back, and take writes
 * like the new one. The timeline tells them apart: each promotion begins a higher one. Of two primaries the one with
 * the higher timeline is used, and a host on a lower one than was seen before is never used, even when it is the only
 * one.
 */
import type { DatabaseAddress, Host } from '../../../platform/database-address.ts';
import { measures } from '../../../platform/metrics/measures.ts';
import { Connection, describeFailure, type Primary } from './connection.ts';
import { codeOf, DatabaseFailure, isPermanent } from './failures.ts';
import { SeenTimelines } from './seen-timelines.ts';

/** Hosts that are primaries at the same time, as `host:port`. */
export interface SeveralPrimaries {
  /** Undefined: all of them were left behind by a failover. */
  used: string | undefined;
  others: string[];
}

export interface PrimariesParts {
  address: DatabaseAddress;
  seen?: SeenTimelines;
  /** Is called after each look at the hosts; undefined: no primary is left over. */
  onLook?: (several: SeveralPrimaries | undefined) => void;
}

/** What one host said. */
type Answer = { primary: Primary } | { host: Host; error: unknown };

export class Primaries {
  readonly #address: DatabaseAddress;
  readonly #seen: SeenTimelines;
  readonly #onLook: (several: SeveralPrimaries | undefined) => void;
  readonly #open = new Set<Connection>();
  #looking: Promise<Primary> | undefined;
  /** Counts the higher timelines that were found. */
  failovers = 0;

  constructor({ address, seen = new SeenTimelines(), onLook = () => undefined }: PrimariesParts) {
    this.#address = address;
    this.#seen = seen;
    this.#onLook = onLook;
  }

  /** To the primary. Rejects with a DatabaseFailure, `unsent`, that names the reasons. */
  async open(): Promise<Connection> {
    try {
      const [used] = this.#open;
      const again = used && (await this.#openTo(used.primary).catch(() => undefined));
      return again ?? (await this.#openTo(await this.look()));
    } catch (error) {
      measures.connectsFailed++;
      throw error;
    }
  }

  /**
   * Asks all hosts, and resolves with the primary. Connections to one that was left behind by a failover are lost from
   * then on.
   */
  look(): Promise<Primary> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  #note({ system, timeline }: Primary): void {
    if (this.#seen.note(system, timeline)) this.failovers++;
  }

  async #look(): Promise<Primary> {
    const { hosts } = this.#address;
    const [answers] = await Promise.all([
      Promise.all(hosts.map((host) => this.#ask(host))),
      this.#seen.refresh(),
    ]);
    const primaries = answers.flatMap((answer) => ('primary' in answer ? [answer.primary] : []));
    for (const primary of primaries) this.#note(primary);
    // Also where another process has noted the failover.
    for (const connection of this.#open) if (this.#isLeftBehind(connection.primary)) connection.destroy();
    const chosen = this.#choose(primaries);
    const others = primaries.filter((primary) => primary !== chosen).map(({ host }) => nameOf(host));
    measures.primaries = primaries.length;
    this.#onLook(others.length > 0 ? { used: chosen && nameOf(chosen.host), others } : undefined);
    if (chosen) return chosen;
    throw this.#failureOf(answers);
  }

  /** Chooses among the primaries of the cluster in use, or else of the first cluster in the order of the address. */
  #choose(primaries: readonly Primary[]): Primary | undefined {
    const left = primaries.filter((primary) => !this.#isLeftBehind(primary));
    const [used] = this.#open;
    const isUsed = ({ host, system }: Primary) =>
      system === used?.primary.system && nameOf(host) === nameOf(used.primary.host);
    return left.find(isUsed) ?? left.find(({ system }) => system === used?.primary.system) ?? left[0];
  }

  #isLeftBehind({ system, timeline }: Primary): boolean {
    return timeline < this.#seen.highestOf(system);
  }

  async #ask(host: Host): Promise<Answer> {
    try {
      const connection = await Connection.openTo(host, this.#address);
      connection.close().catch(() => undefined);
      return { primary: connection.primary };
    } catch (error) {
      return { host, error };
    }
  }

  /** Rejects unless the host is the same run of the same primary. */
  async #openTo(primary: Primary): Promise<Connection> {
    const { host, system, timeline, startedAt } = primary;
    let connection: Connection;
    try {
      connection = await Connection.openTo(host, this.#address);
    } catch (error) {
      throw failureOf(describeFailure(error), error);
    }
    await this.#seen.refresh();
    const now = connection.primary;
    if (
      now.system !== system ||
      now.timeline !== timeline ||
      now.startedAt !== startedAt ||
      this.#isLeftBehind(now)
    ) {
      connection.destroy();
      throw new DatabaseFailure(`${nameOf(host)} was started again`, 'unsent');
    }
    connection.use();
    this.#open.add(connection);
    connection.onLost(() => this.#open.delete(connection));
    return connection;
  }

  #failureOf(answers: readonly Answer[]): DatabaseFailure {
    const reasons = answers.map((answer) =>
      'primary' in answer ? this.#leftBehind(answer.primary) : describeFailure(answer.error),
    );
    const errors = answers.map((answer) => ('primary' in answer ? undefined : answer.error));
    // While one host may become the primary, no setting is known to be wrong.
    const passing = errors.find((error) => error === undefined || !isPermanent(error));
    return failureOf([...new Set(reasons)].join('; '), errors.every(isPermanent) ? errors[0] : passing);
  }

  #leftBehind({ host, system, timeline }: Primary): string {
    return (
      `${nameOf(host)} was left behind by a failover: it is on timeline ${timeline}, and timeline ` +
      `${this.#seen.highestOf(system)} has been seen`
    );
  }
}

/** To the primary of an address, for a command. */
export async function openPrimary(address: DatabaseAddress): Promise<Connection> {
  return await new Primaries({ address }).open();
}

function failureOf(reason: string, error: unknown): DatabaseFailure {
  return new DatabaseFailure(reason, 'unsent', codeOf(error), error);
}

function nameOf({ host, port }: Host): string {
  return `${host}:${port}`;
}
