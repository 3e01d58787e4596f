/**
 * Closes a connection without losing its last response (RFC 9112 §9.6). A system that closes a socket while bytes of
 * the peer are unread, or still come, sends a reset. The peer may then fail before it has read the response: a proxy
 * that is still sending a refused body turns the 413 into a 502.
 */
import type { Server, Socket } from 'node:net';

/** Timeout from the last byte of the response to the peer's close. */
const LINGER_MS = 5000;
/** Limit of the bytes that are read and dropped meanwhile. Beyond it nothing is read, and the timeout ends it. */
const MAX_DROPPED_BYTES = 4 * 1024 * 1024;

export interface LingerLimits {
  ms: number;
  bytes: number;
}

/** Makes every connection of `server` linger when Node closes it after its last response. */
export function lingerOnClose(server: Server): void {
  server.on('connection', (socket) => {
    // Node's HTTP server calls this method then. Node's own closes as soon as the response is written.
    socket.destroySoon = closeLingering;
  });
}

/** Shared by all sockets: a closure for each would cost memory. */
function closeLingering(this: Socket): void {
  endLingering(this);
}

/**
 * Writes `last` and ends the writable side. Then it drops what the peer still sends, until the peer closes its side
 * or a limit is reached. Nothing of it is parsed.
 */
export function endLingering(
  socket: Socket,
  last?: string,
  limits: LingerLimits = { ms: LINGER_MS, bytes: MAX_DROPPED_BYTES },
): void {
  if (socket.writableFinished) dropUntilClosed(socket, limits);
  else socket.once('finish', () => dropUntilClosed(socket, limits));
  if (last === undefined) socket.end();
  else socket.end(last);
}

function dropUntilClosed(socket: Socket, { ms, bytes }: LingerLimits): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
  let left = bytes;
  const drop = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.pause();
  };
  // The HTTP parser would stop reading at a body that nobody takes.
  socket.removeAllListeners('data').on('data', drop).resume();
}
