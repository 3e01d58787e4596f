/**
 * A bound on the answers that an address has asked for and not read: they are whole in memory until they are, and a
 * reader that takes a byte now and then could hold them for long.
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../protocol/errors.ts';
import { addressKey, type ClientAddressOf } from './client-address.ts';

const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** Smaller answers fit into the system's own buffers. */
const COUNTED_FROM_BYTES = 64 * 1024;

export function registerUnsentBytesLimit(app: FastifyInstance, clientAddressOf: ClientAddressOf): void {
  const unsent = new Map<string, number>();

  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < COUNTED_FROM_BYTES) return;
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
