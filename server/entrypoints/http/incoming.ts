/** The bytes of a request, for what takes them piece by piece. */
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

/** The same bytes. Ends the connection when less than half of what it has brought is of the body. */
async function* dense(
  raw: IncomingMessage,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const { socket } = raw;
  const before = socket.bytesRead;
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (socket.bytesRead - before > 2 * size + AROUND_BODY) {
      raw.destroy();
      throw new AppError('bad_request');
    }
    yield chunk;
  }
}

/** Node has refused lengths that are no digits; zeros may lead them (RFC 9110, § 8.6). */
function lengthOf(headers: IncomingHttpHeaders): number | undefined {
  if (headers['content-length'] !== undefined) return Number(headers['content-length']);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}
