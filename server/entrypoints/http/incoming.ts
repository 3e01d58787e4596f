/** The bytes of a request: for what takes them piece by piece, and none that come in pieces that are too small. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../protocol/errors.ts';
import type { Incoming } from '../../features/files/uploads.ts';

/**
 * Bytes of a connection that need not be of the body. A body in chunks of one byte has six bytes for each, and takes a
 * second of the event loop for a megabyte.
 */
const AROUND_BODY = 128 * 1024;

export function incomingOf(request: FastifyRequest): Incoming {
  const { raw, body, headers } = request;
  return {
    // Without a body, the request has no bytes.
    chunks: dense(raw, body === undefined || body === null ? raw : (body as AsyncIterable<Uint8Array>)),
    length: lengthOf(headers),
    cut: () => raw.destroy(),
    mustBeSignedIn: () => request.mustBeSignedIn(),
  };
}

/** The same bytes. Throws `bad_request`, and ends the connection, when they are too few for what it has brought. */
async function* dense(
  raw: IncomingMessage,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const count = countDense(raw);
  for await (const chunk of chunks) {
    if (!count(chunk)) throw new AppError('bad_request');
    yield chunk;
  }
}

/** Ends the connection when the body is read, by whomever, and less than half of what comes is of the body. */
export function endUnlessDense(raw: IncomingMessage): void {
  // Before that, a listener would make the bytes flow while nothing else takes them.
  raw.once('resume', () => raw.on('data', countDense(raw)));
}

/** Takes each piece of the body. False: less than half of what has come is of the body, and the connection has ended. */
function countDense(raw: IncomingMessage): (piece: Uint8Array) => boolean {
  const { socket } = raw;
  const before = socket.bytesRead;
  let size = 0;
  return (piece) => {
    size += piece.length;
    const isDense = socket.bytesRead - before <= 2 * size + AROUND_BODY;
    if (!isDense) raw.destroy();
    return isDense;
  };
}

/** Node has refused lengths that are no digits; zeros may lead them (RFC 9110, § 8.6). */
function lengthOf(headers: IncomingHttpHeaders): number | undefined {
  if (headers['content-length'] !== undefined) return Number(headers['content-length']);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}
