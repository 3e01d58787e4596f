/**
 * What happens in rooms, told to every process that has people there. The database is the log and the bus is only a
 * doorbell: an event may be lost, come twice, or come late, and whoever needs all of them reads the database.
 * Events that one process publishes arrive in the order of publishing.
 */
import type { MessageRow } from '../storage/store.ts';

export type BusEvent =
  | { type: 'message'; roomId: number; message: MessageRow }
  | { type: 'typing'; roomId: number; userId: number; username: string; isTyping: boolean }
  | { type: 'session_revoked'; sessionId: number };

export interface Bus {
  publish(event: BusEvent): void;
  /** Every event goes to every subscriber, this process's own events too. Returns how to stop. */
  subscribe(listener: (event: BusEvent) => void): () => void;
}
