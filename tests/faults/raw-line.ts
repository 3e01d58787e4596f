/** A line without a client: frames go out as bytes, and what comes in is the caller's to read, or not to read. */
import type { Duplex } from 'node:stream';
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import { maskedFrame, OPCODE } from '../simulation/websocket-frames.ts';
import type { Target } from '../support/http.ts';
import { upgrade } from '../support/upgrade.ts';

const PING_EVERY_MS = 20_000;

/** Opens a line with a ticket of the user; rejects when it is refused. */
export async function openLine(target: Target, ticket: string): Promise<Duplex> {
  const protocols = ['chatroom.v2', `ticket.${ticket}`];
  const { socket, status } = await upgrade(target, '/ws', { protocols });
  if (!socket) throw new Error(`refused with ${status}`);
  return socket;
}

export function askFor(socket: Duplex, frame: ClientFrameV2): void {
  socket.write(maskedFrame(OPCODE.text, Buffer.from(JSON.stringify(frame))));
}

/** Sends pings, because the server drops a silent socket. */
export function keepAlive(socket: Duplex): void {
  const ping = () => socket.writable && socket.write(maskedFrame(OPCODE.ping, Buffer.alloc(0)));
  const timer = setInterval(ping, PING_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}
