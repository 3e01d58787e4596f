/** The bytes of a request: for what takes them piece by piece, and none that come in pieces that are too small. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../protocol/errors.ts';
import type { Incoming } from '../../features/files/uploads.ts';

/**
 * Bytes of a connection that need not be of the body. A body in chunks of one byte has six bytes for each, and takes a
 * second of the event loop for a megabyte.
 */
const AROUND_BODY = 128 * 1024;
/** A body may have this many pieces of any size. Beyond that, its pieces must have `TINY_PIECE` bytes on average. */
const MOST_TINY_PIECES = 1024;
const TINY_PIECE = 16;

export function incomingOf(request: FastifyRequest): Incoming {
  const { raw, body, headers } = request;
  return {
    // Without a body, the request has no bytes.
    chunks: dense(request, body === undefined || body === null ? raw : (body as AsyncIterable<Uint8Array>)),
    length: lengthOf(headers),
    cut: () => raw.destroy(),
    mustBeSignedIn: () => request.mustBeSignedIn(),
  };
}

/** The same bytes. Ends the connection when less than half of what it has brought is of the body. */
async function* dense(
  request: FastifyRequest,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const { socket } = request.raw;
  const before = socket.bytesRead;
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (socket.bytesRead - before > 2 * size + AROUND_BODY) {
      end(request);
      throw new AppError('bad_request');
    }
    yield chunk;
  }
}

/**
 * Ends the connection when the body arrives in too many tiny pieces. Something else reads the body, piece by piece; the
 * pieces that `dense` sees may be joined already, so it counts bytes.
 */
export function endWhenTiny(request: FastifyRequest): void {
  const { raw } = request;
  let [pieces, size] = [0, 0];
  const count = (piece: Uint8Array) => {
    pieces++;
    size += piece.length;
    if (pieces <= MOST_TINY_PIECES + size / TINY_PIECE) return;
    // More pieces may have arrived already.
    raw.off('data', count);
    end(request);
  };
  // Before that, a listener would make the bytes flow while nothing else takes them.
  raw.once('resume', () => raw.on('data', count));
}

/** There is no response: the log alone says why. */
function end(request: FastifyRequest): void {
  request.logTinyPieces();
  request.raw.destroy();
}

/** Node has refused lengths that are no digits; zeros may lead them (RFC 9110, § 8.6). */
function lengthOf(headers: IncomingHttpHeaders): number | undefined {
  if (headers['content-length'] !== undefined) return Number(headers['content-length']);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}
