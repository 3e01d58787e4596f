/**
 * A bound on the responses that an address has asked for and not read. A response is kept in memory until it is read,
 * and a client that takes a byte now and then could hold it for long.
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../protocol/errors.ts';
import { addressKey, type ClientAddressOf } from './client-address.ts';

const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** Smaller responses fit into the system's own buffers. */
const COUNTED_FROM_BYTES = 64 * 1024;

export function registerUnsentBytesLimit(app: FastifyInstance, clientAddressOf: ClientAddressOf): void {
  const unsent = new Map<string, number>();

  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < COUNTED_FROM_BYTES) return;
    // Its connection is gone, so nothing will be sent, and `close` will not be announced again.
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
