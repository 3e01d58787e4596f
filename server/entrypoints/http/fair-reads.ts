/**
 * Every request that reads gets a place before its work (platform/limits/fair-places.ts), and large answers take turns.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_PREFIX } from '../../../protocol/constants.ts';
import { FairPlaces, type Place } from '../../platform/limits/fair-places.ts';
import { largeTurns } from '../../platform/limits/large-turns.ts';
import type { RequestLimit } from '../../platform/limits/request-limit.ts';
import { addressKey, type ClientAddressOf } from '../../platform/net/client-address.ts';
import type { OriginPolicy } from '../../platform/net/origin.ts';

/** A list with fewer rows is written in less than a millisecond. */
const LARGE_FROM_ROWS = 50;

export interface FairReadsParts {
  requestLimit: RequestLimit;
  clientAddressOf: ClientAddressOf;
  origins: OriginPolicy;
}

export function registerFairReads(
  app: FastifyInstance,
  { requestLimit, clientAddressOf, origins }: FairReadsParts,
): void {
  const places = new FairPlaces();
  const taken = new WeakMap<FastifyRequest, Place>();

  app.addHook('preHandler', async (request, { raw: response }) => {
    const { method, identity, routeOptions } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !routeOptions.url?.startsWith(API_PREFIX)) return;
    const client = clientAddressOf(request.raw);
    const isExempt = requestLimit.isOff || requestLimit.isExempt(client);
    // A foreign page must not take the places of its visitor.
    const address = `${addressKey(client)}${origins.isForeign(request.raw) ? ' foreign' : ''}`;
    const of = { who: String(identity?.userId ?? address), address, isExempt };
    const place = await places.enter(of, (leave) => response.once('close', leave));
    taken.set(request, place);
    if (response.closed) place.end();
    else response.once('close', () => place.end());
  });

  // Pages of messages are bytes already: their service has waited (features/messages/page.ts).
  app.addHook('preSerialization', (request, _, payload, done) => {
    if (!taken.has(request) || rowsOf(payload) < LARGE_FROM_ROWS) return done(null, payload);
    largeTurns
      .next()
      .then(() => done(null, payload))
      .catch(done);
  });

  // Also after an error, and after the client has gone: until then the work goes on.
  app.addHook('onSend', (request, _, payload, done) => {
    taken.get(request)?.leave(bytesOf(payload));
    done(null, payload);
  });
}

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.length : 0;
}

function rowsOf(payload: unknown): number {
  const fields = typeof payload === 'object' && payload !== null ? Object.values(payload) : [];
  return fields.reduce((sum: number, field: unknown) => sum + (Array.isArray(field) ? field.length : 0), 0);
}
