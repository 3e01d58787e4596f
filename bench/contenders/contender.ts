/** A server that is measured beside the others. */
import type { Door } from '../load/plan.ts';
import type { ProcessOptions, ServerProcess } from './server-process.ts';

export interface ServerOptions extends ProcessOptions {
  /** Whether sockets will resume. Socket.IO keeps missed events only when this is set. */
  isRecovering?: boolean;
  /** The number of users, where the server has users. */
  users?: number;
  /** Whether Roomful's users are members of all rooms: then a line has those that it did not open in brief. */
  isMember?: boolean;
}

/** What the servers without a database leave out. */
export const STORES_NOTHING = 'sign-in, rights, disk, search';

export interface Contender {
  readonly name: string;
  /** Whether a message is on disk before any client receives it. */
  readonly durable: boolean;
  /** What Roomful does for a message, and this server does not. */
  readonly leavesOut: string;
  start(options: ServerOptions): Promise<RunningContender>;
}

export interface RunningContender {
  readonly contender: Contender;
  readonly process: ServerProcess;
  /** Creates `rooms` rooms; returns for each room one door per user. */
  makeRooms(rooms: number): Promise<Door[][]>;
  stop(): Promise<void>;
}
