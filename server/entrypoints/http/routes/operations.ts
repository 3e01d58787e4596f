/** Routes for operators and their monitoring: liveness, readiness, version. */
import { ERRORS } from '../../../../protocol/errors.ts';
import { CHECK_EVERY_MS } from '../../../data/storage/health-check.ts';
import type { BuildInfo } from '../../../platform/build-info.ts';
import type { Lifecycle } from '../../../platform/lifecycle.ts';
import type { On } from '../endpoints.ts';
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
  on: On,
  { isDatabaseHealthy, isBrokerHealthy, lifecycle, build }: OperationsParts,
): void {
  on('GET /health', () => ({
    status: 'ok' as const,
    timestamp: new Date().toISOString(),
    uptime: Math.round(process.uptime()),
    version: build.version,
  }));

  on('GET /healthz', () => ({ status: 'ok' as const }));

  on('GET /ready', async ({ reply }) => {
    const checks = {
      database: healthOf(await isDatabaseHealthy()),
      // The process stays ready without Redis: a delay must not take all processes out of service at once.
      ...(isBrokerHealthy && { broker: healthOf(isBrokerHealthy()) }),
    };
    if (checks.database === 'healthy' && !lifecycle.draining) return { status: 'ready' as const, checks };
    reply.code(503).header('retry-after', retryAfterSeconds(CHECK_EVERY_MS));
    return { error: ERRORS.service_unavailable.message, status: 'not_ready' as const, checks };
  });

  on('GET /version', () => ({
    version: build.version,
    git_commit: build.gitCommit,
    build_time: build.buildTime,
    node_version: process.version,
  }));
}

function healthOf(isHealthy: boolean): 'healthy' | 'unhealthy' {
  return isHealthy ? 'healthy' : 'unhealthy';
}
