/** The bytes of files. What a browser makes of them is decided by the bytes alone, and nothing of it may run. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fileKey } from '../../../../protocol/attached-files.ts';
import { AppError } from '../../../../protocol/errors.ts';
import { KINDS } from '../../../../protocol/media/kinds.ts';
import type { FileRow } from '../../../data/storage/store.ts';
import type { ServerIcon } from '../../../features/administration/server-icon.ts';
import { isNoneMatch, rangeOf } from '../../../features/files/range.ts';
import type { Serving } from '../../../features/files/serving.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import { addressKey, type ClientAddressOf } from '../../../platform/net/client-address.ts';
import { infoOf } from '../../../rules/attached-files.ts';
import { bearerOf } from '../authenticate.ts';
import { fileCookieOf } from '../file-cookie.ts';

const PATH = '/files/:key/:name';
const MAX_AGE_S = 600;
/** Everybody may see a picture of a person or of the server, and another one has another key. */
const PICTURE_MAX_AGE_S = 31_536_000;

export interface ServedFileRoutesParts {
  serving: Serving;
  sessions: Sessions;
  serverIcon: ServerIcon;
  clientAddressOf: ClientAddressOf;
}

export function registerServedFileRoutes(app: FastifyInstance, parts: ServedFileRoutesParts): void {
  const { serving, sessions, serverIcon, clientAddressOf } = parts;
  app.get<{ Params: { key: string } }>(
    PATH,
    {
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        try {
          request.identity = readerOf(request, sessions);
        } catch (error) {
          // Pages that nobody is signed in to show the picture of the server.
          if ((await serverIcon.current()) !== request.params.key) throw error;
        }
      },
    },
    async (request, reply) => {
      const reader = request.identity;
      const { key } = request.params;
      if (!fileKey.safeParse(key).success) throw new AppError('file_not_found');
      const leave = await serving.places.enter(addressKey(clientAddressOf(request.raw)), reader?.userId);
      if (reply.raw.closed) leave();
      else reply.raw.once('close', leave);
      // It may have waited for its place.
      request.mustBeSignedIn();
      const file = await serving.find(key, reader?.userId ?? null);
      return await respond(request, reply, file, (range) => serving.send(file, range, reader));
    },
  );
}

/**
 * By a Bearer token, else by the cookie of the web client. A cookie that is none any more is not cleared: the answer may
 * come after a refresh has set the next one, and would take that away. It goes by itself.
 */
function readerOf(request: FastifyRequest, sessions: Sessions) {
  const bearer = bearerOf(request);
  if (bearer !== undefined) return sessions.authenticate(bearer);
  const cookie = fileCookieOf(request);
  if (cookie === undefined) throw new AppError('missing_bearer_token');
  return sessions.authenticateForFiles(cookie);
}

async function respond(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  file: FileRow,
  bytesOf: (range: { from: number; to: number }) => Promise<Readable>,
): Promise<FastifyReply> {
  const { size } = file;
  const etag = `"${file.sha256}"`;
  reply.headers({ ...headersOf(file), etag });
  if (isNoneMatch(headers['if-none-match'], etag)) return reply.code(304).send();
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || ifRange === etag;
  const range = method === 'GET' && isSame ? rangeOf(headers.range, size) : 'none';
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`).header('content-length', '0');
    return reply.code(416).send(Readable.from([]));
  }
  const { from, to } = range === 'none' ? { from: 0, to: size } : range;
  reply.header('content-length', String(to - from));
  if (range !== 'none') reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${size}`);
  return reply.send(method === 'HEAD' || size === 0 ? Readable.from([]) : await bytesOf({ from, to }));
}

function headersOf(file: FileRow): Record<string, string> {
  const { type, inline } = KINDS[infoOf(file).kind ?? 'other'];
  return {
    'content-type': type,
    'content-disposition': `${inline ? 'inline' : 'attachment'}; ${fileNameOf(file)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control':
      file.roomId === null
        ? `${file.purpose === 'icon' ? 'public' : 'private'}, max-age=${PICTURE_MAX_AGE_S}, immutable`
        : `private, max-age=${MAX_AGE_S}`,
    'accept-ranges': 'bytes',
  };
}

/** For programs that know RFC 8187, and for the others in ASCII. */
function fileNameOf({ name }: FileRow): string {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
