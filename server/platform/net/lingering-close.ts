/**
 * Closes a connection without losing its last response (RFC 9112 §9.6). A system that closes a socket while bytes of
 * the peer are unread, or still come, sends a reset. The peer may then fail before it has read the response: a proxy
 * that is still sending a refused body turns the 413 into a 502.
 */
import type { Server, Socket } from 'node:net';

/** Timeout of the close: after a refusal from its start, after other responses from their last byte. */
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
 * Ends the writable side. Then it drops what the peer still sends, until the peer closes its side or a limit is
 * reached. Nothing of it is parsed. `last` is written before; it is short, so the whole close has the timeout then.
 * What was written earlier may be long: until it is written, the socket's own timeout applies.
 */
export function endLingering(
  socket: Socket,
  last?: string,
  limits: LingerLimits = { ms: LINGER_MS, bytes: MAX_DROPPED_BYTES },
): void {
  if (last !== undefined) closeWithin(socket, limits.ms);
  const linger = () => {
    if (last === undefined) closeWithin(socket, limits.ms);
    dropRest(socket, limits.bytes);
  };
  if (socket.writableFinished) linger();
  else socket.once('finish', linger);
  if (last === undefined) socket.end();
  else socket.end(last);
}

function closeWithin(socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
}

function dropRest(socket: Socket, bytes: number): void {
  let left = bytes;
  const drop = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.pause();
  };
  // The HTTP parser would stop reading at a body that nobody takes.
  socket.removeAllListeners('data').on('data', drop).resume();
}
