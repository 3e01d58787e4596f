/** What a room needs of the client that has entered it. */
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import type { User } from '../../protocol/rest/accounts.ts';
import type { ChatApi } from '../api/api.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import type { Delivery } from '../outbox/delivery.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { RoomSnapshot } from './room-state.ts';

/** The connection of a client, as its rooms use it. */
export interface RoomLine {
  readonly state: ConnectionState;
  /** The database that it is connected to; null while it is not open. */
  readonly epoch: string | null;
  /** Whether a ticket was granted for the attempt that has just failed: the server responds, but WebSockets do not. */
  readonly wasAdmitted: boolean;
  send(frame: ClientFrameV2): boolean;
  retryNow(): void;
  reconnect(): void;
}

/** The parts of a `ChatClient` that a room uses. */
export interface RoomOptions {
  readonly roomId: number;
  readonly me: User;
  readonly api: Pick<ChatApi, 'flow'>;
  readonly line: RoomLine;
  readonly delivery: Pick<Delivery, 'found' | 'refuseAll'>;
  readonly outbox: Outbox;
  /** See `ChatClientOptions.keep`. */
  readonly keep: number;
  /** What an earlier visit saved of the room, shown until the server responds. */
  readonly restore?: (() => Promise<RoomSnapshot | null>) | undefined;
  /** Called when the room is over. */
  readonly onEnd: () => void;
  readonly clock: Clock;
  readonly random: () => number;
}
