/** Every body is parsed as JSON, whatever its Content-Type, so that `curl -d` works. Compressed bodies are refused. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../protocol/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const MEDIA_TYPE = 'application/json';

export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(utf8.decode(body as Buffer)));
    } catch (cause) {
      done(new AppError('invalid_payload', { cause }));
    }
  });
  app.addHook('preParsing', async (request) => {
    if (request.headers['content-encoding'] !== undefined) throw new AppError('unsupported_media_type');
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    // Without a Content-Type, fastify takes an empty body for none: a PUT or DELETE may need none.
    if (/^0+$/.test(length) && encoding === undefined) delete request.headers['content-type'];
    // Fastify would refuse a Content-Type that is not a media type.
    else request.headers['content-type'] = MEDIA_TYPE;
  });
}
