/**
 * What processes tell each other about who is where. Each process is the only writer of its own roster. Notices may be
 * lost, come twice or come late; those of one process arrive in order. What is lost is found by its number.
 */
import type { RosterEntry } from '../presence.ts';

/**
 * How long a stored roster outlives its process, and the silence after which a process may have died: with the time to
 * notice, counts are right within 15 s.
 */
export const ROSTER_LEASE_MS = 14_000;

export type RosterChange = readonly [roomId: number, userId: number, username: string, isHere: 0 | 1];

export type RosterNotice =
  /** Changes of the roster of `from`; `n` counts its notices of changes, from 1. */
  | { type: 'changes'; from: string; n: number; changes: RosterChange[] }
  /** The process lives, and `n` changes have been sent. `hasDatabase`: it reaches the database. */
  | { type: 'heartbeat'; from: string; n: number; hasDatabase: boolean }
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
 * A roster that is being stored. Its entries are taken one by one while the process goes on, so they may contain changes
 * after `n`. Those who read it apply these again, and each change says what is so after it, so they end at the same.
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
  /** Keeps the stored roster for `leaseMs` from now; false: it is not there any more. */
  prolong(process: string, leaseMs: number): Promise<boolean>;
  read(process: string): Promise<StoredRoster | null>;
  /** The stored rosters of all processes. */
  readAll(): Promise<StoredRoster[]>;
  exists(process: string): Promise<boolean>;
  /** Those of these processes that notices can reach at this moment. */
  connected(processes: readonly string[]): Promise<string[]>;
}
