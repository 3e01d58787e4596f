/** `GET /metrics` for Prometheus: on loopback, or with the token of METRICS_TOKEN. For everybody else it is not there. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { AppError } from '../../../protocol/errors.ts';
import type { MetricsSources } from '../../metrics/registry.ts';

export interface MetricsParts {
  metrics: MetricsSources;
  metricsToken: string | undefined;
  /** Every request on loopback may come through a proxy. */
  hasProxy: boolean;
}

export function registerMetricsRoute(
  app: FastifyInstance,
  { metrics, metricsToken, hasProxy }: MetricsParts,
): void {
  let registry: Promise<Registry> | undefined;
  app.get('/metrics', async (request, reply) => {
    if (metricsToken === undefined ? hasProxy || !isDirect(request) : !hasToken(request, metricsToken))
      throw new AppError('not_found');
    registry ??= import('../../metrics/registry.ts').then(({ createRegistry }) => createRegistry(metrics));
    const { contentType, ...loaded } = await registry.then(async (one) => ({
      contentType: one.contentType,
      text: await one.metrics(),
    }));
    return reply.header('cache-control', 'no-store').type(contentType).send(loaded.text);
  });
}

/** Where a token is set, it alone counts: a proxy on the same machine connects from loopback, too. */
function hasToken(request: FastifyRequest, token: string): boolean {
  return isSame(request.headers.authorization ?? '', `Bearer ${token}`);
}

function isDirect(request: FastifyRequest): boolean {
  const isForwarded = Object.keys(request.headers).some((name) => PROXY_HEADER.test(name));
  return !isForwarded && isLoopback(request.raw.socket.remoteAddress ?? '');
}

/** What proxies add; with one of them, the peer on loopback is a proxy and not the reader. */
const PROXY_HEADER = /^(x-forwarded-.*|forwarded|x-real-ip|via)$/;

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
