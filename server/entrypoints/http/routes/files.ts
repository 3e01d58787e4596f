/** Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload), and the one that is a single request. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../../protocol/errors.ts';
import { mediaType } from '../../../../protocol/file-names.ts';
import { UPLOAD_CHUNK_MAX } from '../../../../protocol/limits.ts';
import type { FileRow } from '../../../data/storage/store.ts';
import { toUploadedFile } from '../../../features/files/info.ts';
import { parseByteCount, parseUploadMetadata } from '../../../features/files/upload-metadata.ts';
import type { Incoming, Uploads } from '../../../features/files/uploads.ts';
import { sentTypeOf } from '../body.ts';
import type { On } from '../endpoints.ts';

const VERSION = '1.0.0';
const EXTENSIONS = 'creation,termination,expiration';

export interface FileRoutesParts {
  uploads: Uploads;
}

export function registerFileRoutes(on: On, { uploads }: FileRoutesParts): void {
  on('OPTIONS /api/v1/uploads', ({ reply }) => {
    reply.headers({
      'tus-resumable': VERSION,
      'tus-version': VERSION,
      'tus-extension': EXTENSIONS,
      'tus-max-size': String(uploads.fileBytes),
    });
  });

  on('POST /api/v1/uploads', async ({ userId, request, reply }) => {
    checkVersion(request, reply, { isNeeded: true });
    const length = parseByteCount(headerOf(request, 'upload-length'));
    if (length === undefined) throw new AppError('invalid_payload');
    const metadata = parseUploadMetadata(headerOf(request, 'upload-metadata') ?? '');
    const file = await uploads.create(userId, length, metadata);
    tell(reply, file).header('location', `/api/v1/uploads/${file.key}`);
    return toUploadedFile(file);
  });

  on('GET /api/v1/uploads/:key', async ({ userId, params, request, reply }) => {
    const isHead = request.method === 'HEAD';
    checkVersion(request, reply, { isNeeded: isHead });
    const file = await (isHead ? uploads.status(params.key, userId) : uploads.find(params.key, userId));
    tell(reply, file);
    return toUploadedFile(file);
  });

  on('PATCH /api/v1/uploads/:key', async ({ userId, params, request, reply }) => {
    checkVersion(request, reply, { isNeeded: true });
    const offset = parseByteCount(headerOf(request, 'upload-offset'));
    if (offset === undefined) throw new AppError('invalid_payload');
    tell(reply, await uploads.append(params.key, userId, offset, incomingOf(request)));
  });

  on('DELETE /api/v1/uploads/:key', async ({ userId, params, request, reply }) => {
    checkVersion(request, reply, { isNeeded: false });
    await uploads.delete(params.key, userId);
  });

  on('POST /api/v1/rooms/:id/files', async ({ userId, params, query: { name, alt }, request }) => {
    const incoming = incomingOf(request);
    // Without a length, how much will come is not known before it has, and no quota could be taken.
    if (incoming.length === undefined) throw new AppError('invalid_payload');
    if (incoming.length > UPLOAD_CHUNK_MAX) throw new AppError('payload_too_large');
    const facts = { name, type: mediaType(sentTypeOf(request)), room_id: params.id };
    const metadata = { ...facts, purpose: 'message' as const, ...(alt !== undefined && { alt }) };
    return toUploadedFile(await uploads.whole(userId, metadata, incoming));
  });
}

/** Throws `unsupported_tus` for another version than that of this server, and where one is needed and none is given. */
function checkVersion(
  request: FastifyRequest,
  reply: FastifyReply,
  { isNeeded }: { isNeeded: boolean },
): void {
  const version = headerOf(request, 'tus-resumable');
  reply.header('tus-resumable', VERSION);
  if (version === VERSION || (version === undefined && !isNeeded)) return;
  reply.header('tus-version', VERSION);
  throw new AppError('unsupported_tus');
}

/** How far the upload is, and until when it is kept. */
function tell(reply: FastifyReply, { received, size, expiresAt, state }: FileRow): FastifyReply {
  reply.headers({ 'upload-offset': String(received), 'upload-length': String(size) });
  if (state === 'uploading' && expiresAt !== null)
    reply.header('upload-expires', new Date(expiresAt).toUTCString());
  return reply;
}

function incomingOf({ raw, body, headers }: FastifyRequest): Incoming {
  return {
    // Without a body, the request has no bytes.
    chunks: body === undefined || body === null ? raw : (body as AsyncIterable<Uint8Array>),
    length:
      parseByteCount(headers['content-length']) ??
      (headers['transfer-encoding'] === undefined ? 0 : undefined),
    cut: () => raw.destroy(),
  };
}

/** A header that is given at most once. */
function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
