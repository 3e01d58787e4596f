/** Bodies are JSON whatever their Content-Type says, so that a plain `curl -d` works; they are never decompressed. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../protocol/errors.ts';

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
    // Said on the client's behalf: fastify refuses what is not a media type at all.
    request.headers['content-type'] = MEDIA_TYPE;
  });
}
