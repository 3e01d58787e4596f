/** What is measured side by side. */
import type { Door } from '../load/plan.ts';
import type { ProcessOptions, ServerProcess } from './server-process.ts';

export interface ServerOptions extends ProcessOptions {
  /** Whether sockets will come back for what they missed: Socket.IO keeps it only when told to. */
  isRecovering?: boolean;
}

export interface Contender {
  readonly name: string;
  /** Whether a message is on disk before anybody hears of it. */
  readonly durable: boolean;
  start(options: ServerOptions): Promise<RunningContender>;
}

export interface RunningContender {
  readonly contender: Contender;
  readonly process: ServerProcess;
  /** Makes `rooms` rooms; for each the ways in, one for every user. */
  makeRooms(rooms: number): Promise<Door[][]>;
  stop(): Promise<void>;
}
