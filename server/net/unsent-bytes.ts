/**
 * A bound on the bytes of responses that an address has requested and not read. A response stays in memory until it is
 * read, and a client that reads a byte now and then could hold it for a long time.
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../protocol/errors.ts';
import { addressKey, type ClientAddressOf } from './client-address.ts';

const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** Smaller responses fit into the system's own buffers. */
const COUNTED_FROM_BYTES = 64 * 1024;

/** Refuses a response of `app` with `too_many_requests` while its address has too many unread bytes. */
export function registerUnsentBytesLimit(app: FastifyInstance, clientAddressOf: ClientAddressOf): void {
  const unsent = new Map<string, number>();

  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < COUNTED_FROM_BYTES) return;
    // The connection is closed: nothing will be sent, and `close` will not fire again.
    if (reply.raw.destroyed) return;
    const key = addressKey(clientAddressOf(request.raw));
    const before = unsent.get(key) ?? 0;
    if (before + payload.length > MAX_UNSENT_BYTES)
      throw new AppError('too_many_requests', { retryAfterMs: 1000 });
    unsent.set(key, before + payload.length);
    reply.raw.once('close', () => {
      const after = (unsent.get(key) ?? 0) - payload.length;
      if (after > 0) unsent.set(key, after);
      else unsent.delete(key);
    });
  });
}
