/** The bytes of a request, for what takes them piece by piece. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Incoming } from '../../features/files/uploads.ts';

export function incomingOf(request: FastifyRequest): Incoming {
  const { raw, body, headers } = request;
  return {
    // Without a body, the request has no bytes.
    chunks: body === undefined || body === null ? raw : (body as AsyncIterable<Uint8Array>),
    length: lengthOf(headers),
    cut: () => raw.destroy(),
    mustBeSignedIn: () => request.mustBeSignedIn(),
  };
}

/** Node has refused lengths that are no digits; zeros may lead them (RFC 9110, § 8.6). */
function lengthOf(headers: IncomingHttpHeaders): number | undefined {
  if (headers['content-length'] !== undefined) return Number(headers['content-length']);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}
