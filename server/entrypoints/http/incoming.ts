/** The bytes of a request, for what takes them piece by piece. */
import type { FastifyRequest } from 'fastify';
import { parseByteCount } from '../../features/files/upload-metadata.ts';
import type { Incoming } from '../../features/files/uploads.ts';

export function incomingOf({ raw, body, headers }: FastifyRequest): Incoming {
  return {
    // Without a body, the request has no bytes.
    chunks: body === undefined || body === null ? raw : (body as AsyncIterable<Uint8Array>),
    length:
      parseByteCount(headers['content-length']) ??
      (headers['transfer-encoding'] === undefined ? 0 : undefined),
    cut: () => raw.destroy(),
  };
}
