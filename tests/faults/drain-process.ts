/**
 * Many sockets that read and discard, in a process of their own, so that they load the server and not the process that
 * measures. It is started with IPC, gets one order, reports when all sockets are open, and ends with its parent.
 */
import type { Duplex } from 'node:stream';
import { askFor, keepAlive, openLine } from './raw-line.ts';

export interface DrainOrder {
  port: number;
  roomId: number;
  tickets: string[];
}

/** What it reports: all sockets are in the room, or one was lost. */
export type DrainNews = 'in' | 'lost';

function tell(news: DrainNews): void {
  process.send?.(news);
}

async function drain({ port, roomId, tickets }: DrainOrder): Promise<void> {
  for (const ticket of tickets) {
    const socket = await openLine({ port }, ticket);
    readAndForget(socket);
    askFor(socket, { type: 'start' });
    askFor(socket, { type: 'open', room_id: roomId });
    askFor(socket, { type: 'here', room_id: roomId });
  }
  tell('in');
}

function readAndForget(socket: Duplex): void {
  keepAlive(socket);
  socket.on('close', () => tell('lost'));
  socket.resume();
}

process.on('message', (order: DrainOrder) => void drain(order));
process.on('disconnect', () => process.exit(0));
