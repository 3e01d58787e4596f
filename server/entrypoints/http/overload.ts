/** Refuses requests that write while the process is overloaded. Reading goes on. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_PREFIX } from '../../../protocol/constants.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Reading needs new access tokens; and whoever wants to end a session, or an attack, must not wait for its end. */
const SPARED = new RegExp(`^${API_PREFIX}/(auth/(refresh|logout)$|me/sessions(/|$)|admin/)`);

export function registerOverload(app: FastifyInstance, lifecycle: Lifecycle): void {
  app.addHook('onRequest', (request, _, done) => {
    done(isRefusable(request) ? lifecycle.overloadRefusal : undefined);
  });
}

function isRefusable({ method, is404, routeOptions }: FastifyRequest): boolean {
  return WRITES.has(method) && !is404 && !SPARED.test(routeOptions.url ?? '');
}
