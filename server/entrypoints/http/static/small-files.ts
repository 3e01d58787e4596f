/**
 * Small files are read whole before they are sent, so a peer that requests many and does not read holds no descriptor.
 * All responses share the bytes of a file. A larger file, or one beyond the total, is streamed from its descriptor.
 */
import { ReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';

/** Every file of the built client is smaller, compressed or not. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_TOTAL_BYTES = 8 * 1024 * 1024;

interface Kept {
  etag: string;
  bytes: Promise<Buffer>;
  size: number;
}

/** Sends the small files of `app` from memory. */
export function sendSmallFilesFromMemory(app: FastifyInstance): void {
  const keptByPath = new Map<string, Kept>();
  let totalBytes = 0;

  function forget(path: string, kept: Kept): void {
    if (keptByPath.get(path) !== kept) return;
    keptByPath.delete(path);
    totalBytes -= kept.size;
  }

  /** Reads and closes the stream, unless this version of its file was read before. Undefined for a large file. */
  function read(stream: ReadStream, etag: string, size: number): Promise<Buffer> | undefined {
    const path = String(stream.path);
    const kept = keptByPath.get(path);
    if (kept?.etag === etag) {
      stream.destroy();
      return kept.bytes;
    }
    if (kept) forget(path, kept);
    if (!(size <= MAX_FILE_BYTES && totalBytes + size <= MAX_TOTAL_BYTES)) return undefined;
    const fresh = { etag, bytes: buffer(stream), size };
    keptByPath.set(path, fresh);
    totalBytes += size;
    fresh.bytes.catch(() => forget(path, fresh));
    return fresh.bytes;
  }

  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!(payload instanceof ReadStream)) return done(null, payload);
    const bytes = read(payload, String(reply.getHeader('etag')), Number(reply.getHeader('content-length')));
    if (!bytes) return done(null, payload);
    bytes.then((all) => done(null, all)).catch(done);
  });
}
