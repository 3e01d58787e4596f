/** A socket in a room, as the room sees it. */
import type { Recipient } from '../fanout/recipient.ts';

export interface RoomSocket extends Recipient {
  readonly user: { userId: number; username: string };
  /** Sends a frame of the socket's own, in its place among the room's; null sends nothing. */
  send(json: string | null): void;
  /** The same with a whole text frame, whose bytes several sockets may share. */
  sendFramed(bytes: Buffer): void;
  /** Resolves when the operating system has accepted what was sent, or when the socket is closed. */
  drained(): Promise<void>;
  /** Closes after a fault of the server; the client may reconnect. */
  fail(error: unknown): void;
}
