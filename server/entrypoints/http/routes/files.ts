/** Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload), and the one that is a single request. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../../protocol/errors.ts';
import { mediaType } from '../../../../protocol/file-names.ts';
import { UPLOAD_CHUNK_MAX } from '../../../../protocol/limits.ts';
import type { FileRow } from '../../../data/storage/store.ts';
import type { Gallery } from '../../../features/files/gallery.ts';
import { toUploadedFile } from '../../../features/files/info.ts';
import { parseByteCount, parseUploadMetadata } from '../../../features/files/upload-metadata.ts';
import type { Uploads } from '../../../features/files/uploads.ts';
import type { Changes } from '../../../features/messages/changes.ts';
import type { Posting } from '../../../features/messages/post.ts';
import { toMessage } from '../../../rules/message.ts';
import { sentTypeOf } from '../body.ts';
import type { On } from '../endpoints.ts';
import { incomingOf } from '../incoming.ts';
import { messageOf } from './messages.ts';

const VERSION = '1.0.0';
const EXTENSIONS = 'creation,termination,expiration';

export interface FileRoutesParts {
  uploads: Uploads;
  gallery: Gallery;
  posting: Posting;
  changes: Changes;
}

export function registerFileRoutes(on: On, parts: FileRoutesParts): void {
  registerUploadRoutes(on, parts);
  registerRoomFileRoutes(on, parts);
}

function registerUploadRoutes(on: On, { uploads }: FileRoutesParts): void {
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
}

function registerRoomFileRoutes(on: On, { uploads, ...parts }: FileRoutesParts): void {
  on('POST /api/v1/rooms/:id/files', async ({ userId, identity, params, query, request }) => {
    const { name, alt, content } = query;
    const incoming = incomingOf(request);
    // Without a length, how much will come is not known before it has, and no quota could be taken.
    if (incoming.length === undefined) throw new AppError('invalid_payload');
    if (incoming.length > UPLOAD_CHUNK_MAX) throw new AppError('payload_too_large');
    const facts = { name, type: mediaType(sentTypeOf(request)), room_id: params.id };
    const metadata = { ...facts, purpose: 'message' as const, ...(alt !== undefined && { alt }) };
    if (content !== undefined) await parts.changes.charge(userId);
    const file = await uploads.whole(userId, metadata, incoming);
    if (content === undefined) return toUploadedFile(file);
    const draft = { content, cid: null, files: [file.key] };
    const posting = parts.posting.post({ roomId: params.id, author: identity, draft });
    const { id, seq } = await posting.catch(async (error) => {
      await uploads.delete(file.key, userId).catch(() => undefined);
      throw error;
    });
    return { ...toUploadedFile(file), expires_at: null, message: { id, seq } };
  });

  on('GET /api/v1/rooms/:id/files', ({ userId, params, query: { kind, before_id: beforeId } }) =>
    parts.gallery.page({ roomId: params.id, userId, kind, beforeId }),
  );
  on('PUT /api/v1/rooms/:id/messages/:message_id/files/:key', async (call) => {
    const { params, body } = call;
    return toMessage(await parts.changes.describeFile(messageOf(call), params.key, body.alt));
  });
  on('DELETE /api/v1/rooms/:id/messages/:message_id/files/:key', async (call) => {
    await parts.changes.deleteFile(messageOf(call), call.params.key);
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

/** A header that is given at most once. */
function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
