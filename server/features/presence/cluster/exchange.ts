/**
 * What processes tell each other about the presence of their users. Each process is the only writer of its own roster.
 * Notices may be lost, duplicated or late; those of one process arrive in order. A gap in their numbers shows a loss.
 */
import type { RosterEntry } from '../presence.ts';

/**
 * How long a stored roster outlives its process, and how long a process may be silent before it is checked. Together
 * with the time that the check takes, counts are right within 15 s.
 */
export const ROSTER_LEASE_MS = 14_000;

export type RosterChange = readonly [roomId: number, userId: number, username: string, isHere: 0 | 1];

export type RosterNotice =
  /** Changes of the roster of `from`; `n` counts its notices of changes, from 1. */
  | { type: 'changes'; from: string; n: number; changes: RosterChange[] }
  /**
   * The process lives, and `n` changes have been sent. `hasDatabase`: it reaches the database. `isListed`: its row
   * there has this name (platform/redis/peers.ts); processes of an older build have others.
   */
  | { type: 'heartbeat'; from: string; n: number; hasDatabase: boolean; isListed?: true }
  /** The process stops as planned. Its stored roster is its last one. */
  | { type: 'leaving'; from: string; n: number }
  /** `from` has missed changes of `to`, which must store its roster now. */
  | { type: 'ask'; from: string; to: string }
  /** The roster is stored as it was after `n` changes. */
  | { type: 'stored'; from: string; n: number };

export interface StoredRoster {
  process: string;
  /** It contains the changes up to this one. */
  n: number;
  /** The process has stopped as planned, and its users are expected back. */
  isLeaving: boolean;
  entries: RosterEntry[];
}

/**
 * A roster that is being stored. Its entries are read one by one while the process goes on, so they may include changes
 * after `n`. Readers apply those changes again, which is harmless: a change states its result, not a difference.
 */
export type RosterToStore = Omit<StoredRoster, 'entries'> & { entries: Iterable<RosterEntry> };

export interface RosterExchange {
  /** Notices may be getting lost at this moment. */
  readonly isInDoubt: boolean;
  /** Calls the listener when doubt begins and when it ends. Returns a function that stops. */
  onDoubt(listener: () => void): () => void;
  /** Tells all other processes, soon or never. */
  send(notice: RosterNotice): void;
  /** Resolves when the notices of other processes reach the listener, with a function that stops that. */
  listen(listener: (notice: RosterNotice) => void): Promise<() => void>;
  /** Stores the roster of this process for `leaseMs`. */
  store(roster: RosterToStore, leaseMs: number): Promise<void>;
  /** Extends the lease of the stored roster to `leaseMs` from now. Resolves with false if the roster is gone. */
  prolong(process: string, leaseMs: number): Promise<boolean>;
  read(process: string): Promise<StoredRoster | null>;
  /** The stored rosters of all processes. */
  readAll(): Promise<StoredRoster[]>;
  exists(process: string): Promise<boolean>;
  /** Those of these processes that notices can reach at this moment. */
  connected(processes: readonly string[]): Promise<string[]>;
}
