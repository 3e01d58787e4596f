/** Routes for operators and their monitoring: liveness, readiness, version. */
import type { FastifyInstance } from 'fastify';
import { ERRORS } from '../../../protocol/errors.ts';
import type { BuildInfo } from '../../build-info.ts';
import type { Lifecycle } from '../../lifecycle.ts';
import type { Store } from '../../storage/store.ts';
import { retryAfterSeconds } from '../errors.ts';

/** The database is checked at most this often, however often `/ready` is requested. */
const CHECK_EVERY_MS = 1000;
const CHECK_TIMEOUT_MS = 2000;

export interface OperationsParts {
  store: Store;
  lifecycle: Lifecycle;
  build: BuildInfo;
}

export function registerOperationsRoutes(
  app: FastifyInstance,
  { store, lifecycle, build }: OperationsParts,
): void {
  const isDatabaseHealthy = createHealthCheck(store);

  app.get('/health', () => ({
    status: 'ok',
    timestamp: new Date().toISOString(),
    uptime: Math.round(process.uptime()),
    version: build.version,
  }));

  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/ready', async (_request, reply) => {
    const checks = { database: (await isDatabaseHealthy()) ? 'healthy' : 'unhealthy' };
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

function createHealthCheck(store: Store): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<boolean> = Promise.resolve(false);
  return () => {
    const now = performance.now();
    if (now - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now;
      latest = Promise.race([
        store.check().then(
          () => true,
          () => false,
        ),
        new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, false).unref()),
      ]);
    }
    return latest;
  };
}
