/**
 * Every body is parsed as JSON, whatever its Content-Type, so that `curl -d` works; but for endpoints that take bytes,
 * whose handlers read the stream. Compressed bodies are refused.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../protocol/endpoints/endpoint.ts';
import { AppError } from '../../../protocol/errors.ts';
import { endWhenTiny } from './incoming.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const MEDIA_TYPE = 'application/json';
const BYTES_TYPE = 'application/octet-stream';
/** What a chunk of an upload must say that it is (tus 1.0, § PATCH). */
const TUS_TYPE = 'application/offset+octet-stream';

declare module 'fastify' {
  interface FastifyContextConfig {
    bytes?: Endpoint['bytes'];
  }
}

const sentTypes = new WeakMap<FastifyRequest, string>();

/** The Content-Type as the client sent it, of an endpoint that takes bytes. */
export function sentTypeOf(request: FastifyRequest): string {
  return sentTypes.get(request) ?? '';
}

export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(utf8.decode(body as Buffer)));
    } catch (cause) {
      done(new AppError('invalid_payload', { cause }));
    }
  });
  app.addContentTypeParser(BYTES_TYPE, (_request, payload, done) => done(null, payload));
  app.addHook('preParsing', (request, _, payload, done) => {
    if (request.headers['content-encoding'] !== undefined) throw new AppError('unsupported_media_type');
    const { bytes } = request.routeOptions.config;
    const sentType = request.headers['content-type'] ?? '';
    if (bytes === 'tus' && sentType.toLowerCase() !== TUS_TYPE) throw new AppError('unsupported_media_type');
    if (bytes) sentTypes.set(request, sentType);
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    // Without a Content-Type, fastify takes an empty body for none: a PUT or DELETE may need none.
    if (/^0+$/.test(length) && encoding === undefined) delete request.headers['content-type'];
    // Fastify would refuse a Content-Type that is not a media type.
    else request.headers['content-type'] = bytes ? BYTES_TYPE : MEDIA_TYPE;
    if (!bytes && encoding !== undefined) endWhenTiny(request);
    done(null, payload);
  });
  // A body that nobody takes would still be read to its end, however it is cut into chunks.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw, headers } = request;
    if (!raw.complete && headers['transfer-encoding'] !== undefined) reply.header('connection', 'close');
    done(null, payload);
  });
}
