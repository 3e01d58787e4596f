/**
 * `GET /metrics` for Prometheus: on loopback, or with the token of METRICS_TOKEN. For everybody else it is not there.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../../protocol/errors.ts';
import { isDirect } from '../../../platform/net/direct-request.ts';
import { CONTENT_TYPE } from '../../metrics/scrape.ts';

export interface MetricsParts {
  /** The text of all metrics that there are at this port. */
  scrape: () => Promise<string>;
  metricsToken: string | undefined;
  /** Every request on loopback may come through a proxy. */
  hasProxy: boolean;
}

export function registerMetricsRoute(
  app: FastifyInstance,
  { scrape, metricsToken, hasProxy }: MetricsParts,
): void {
  app.get('/metrics', async (request, reply) => {
    if (metricsToken === undefined ? hasProxy || !isDirect(request.raw) : !hasToken(request, metricsToken))
      throw new AppError('not_found');
    const text = await scrape().catch((cause) => {
      throw new AppError('service_unavailable', { cause });
    });
    return reply.header('cache-control', 'no-store').type(CONTENT_TYPE).send(text);
  });
}

/** Where a token is set, it alone counts: a proxy on the same machine connects from loopback, too. */
function hasToken(request: FastifyRequest, token: string): boolean {
  return isSame(request.headers.authorization ?? '', `Bearer ${token}`);
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
