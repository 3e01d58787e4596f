/** Routes for operators and their monitoring: liveness, readiness, version. */
import type { FastifyInstance } from 'fastify';
import { ERRORS } from '../../../../protocol/errors.ts';
import { CHECK_EVERY_MS } from '../../../data/storage/health-check.ts';
import type { BuildInfo } from '../../../platform/build-info.ts';
import type { Lifecycle } from '../../../platform/lifecycle.ts';
import { retryAfterSeconds } from '../errors.ts';

export interface OperationsParts {
  /** Whether the database takes writes. */
  isDatabaseHealthy: () => Promise<boolean>;
  /** Whether Redis returns what is published there; undefined: no Redis is used. */
  isBrokerHealthy: (() => boolean) | undefined;
  lifecycle: Lifecycle;
  build: BuildInfo;
}

export function registerOperationsRoutes(
  app: FastifyInstance,
  { isDatabaseHealthy, isBrokerHealthy, lifecycle, build }: OperationsParts,
): void {
  app.get('/health', () => ({
    status: 'ok',
    timestamp: new Date().toISOString(),
    uptime: Math.round(process.uptime()),
    version: build.version,
  }));

  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/ready', async (_request, reply) => {
    const checks = {
      database: healthOf(await isDatabaseHealthy()),
      // The process stays ready without Redis: a delay must not take all processes out of service at once.
      ...(isBrokerHealthy && { broker: healthOf(isBrokerHealthy()) }),
    };
    if (checks.database === 'healthy' && !lifecycle.draining) return { status: 'ready', checks };
    return reply
      .code(503)
      .header('retry-after', retryAfterSeconds(CHECK_EVERY_MS))
      .send({ error: ERRORS.service_unavailable.message, status: 'not_ready', checks });
  });

  app.get('/version', () => ({
    version: build.version,
    git_commit: build.gitCommit,
    build_time: build.buildTime,
    node_version: process.version,
  }));
}

function healthOf(isHealthy: boolean): 'healthy' | 'unhealthy' {
  return isHealthy ? 'healthy' : 'unhealthy';
}
