/**
 * Announces what happens in rooms to every process that has sockets there. The database is the log and the bus is only
 * a doorbell: between processes an event may be lost, come twice or come late, and a listener that needs all events
 * reads the database. The events that one process publishes arrive in the order of publishing.
 *
 * `bus.contract.ts` holds every adapter to these promises.
 */
import type { MessageRow } from '../storage/store.ts';

export type BusEvent =
  | { type: 'message'; roomId: number; message: MessageRow }
  | { type: 'typing'; roomId: number; userId: number; username: string; isTyping: boolean }
  | { type: 'session_revoked'; sessionId: number }
  /** The log of this user has a new row, with this number. */
  | { type: 'user_log'; userId: number; seq: number }
  /** What others see of this user has changed. */
  | { type: 'profile'; userId: number; version: number };

export interface Bus {
  /** The subscribers of this process receive the event before the call returns; others soon, or never. */
  publish(event: BusEvent): void;
  /** Every event goes to every subscriber, this process's own events too. Returns a function that unsubscribes. */
  subscribe(listener: (event: BusEvent) => void): () => void;
}
