/** The running service: listens, keeps house, and stops. */
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createHttpServer } from '../entrypoints/http/server.ts';
import { findClientDir } from '../entrypoints/http/static/static.ts';
import { latestOf } from '../entrypoints/metrics/latest.ts';
import { createRenderer, type RenderMetrics } from '../entrypoints/metrics/scrape.ts';
import type { HeadPoll } from '../entrypoints/realtime/head-poll.ts';
import { targetOf } from '../entrypoints/realtime/upgrade/handshake.ts';
import type { Control } from '../features/administration/control.ts';
import type { LogConsumer } from '../features/consumers/log-consumer.ts';
import { expectRoster, saveRoster } from '../features/presence/roster.ts';
import { readBuildInfo } from '../platform/build-info.ts';
import type { Config } from '../platform/config.ts';
import { within } from '../platform/deadline.ts';
import { collectStartGarbage } from '../platform/heap.ts';
import type { Logger } from '../platform/log.ts';
import { limitConnections } from '../platform/net/connection-limit.ts';
import { OpenSockets } from '../platform/net/open-sockets.ts';
import { watchOverload } from '../platform/overload.ts';
import { watchQuietHeap } from '../platform/quiet-heap.ts';
import { Housekeeping } from './housekeeping.ts';
import { createServices } from './services.ts';

/** After an outage everybody connects at once; a connection that does not fit here comes a second late, or seven. */
const LISTEN_BACKLOG = 4096;
/** How long commits, sockets and requests get to finish before they are cut off. */
const COMMITS_GRACE_MS = 2000;
const SOCKETS_GRACE_MS = 2000;
const REQUESTS_GRACE_MS = 3000;
/** What the consumers of the logs have not written by then is written after the next start. */
const CONSUMER_GRACE_MS = 2000;
const PUSH_GRACE_MS = 1000;
/** What uploads have is safe once it is on the disk; what is not is sent again. */
const FILES_GRACE_MS = 2000;

export interface App {
  /** Where it listens. */
  address: AddressInfo;
  /** Makes its user the first admin; undefined when there is an admin. */
  setupCode: string | undefined;
  renderMetrics: RenderMetrics;
  /** Takes no further connections; those that are open go on. */
  acceptNoMore(): void;
  /**
   * Refuses new work, finishes what was accepted, and closes everything. `isHandedOver`: another process serves
   * already, so the clients need not wait before they come back.
   */
  stop(how?: { isHandedOver: boolean }): Promise<void>;
}

type Services = Awaited<ReturnType<typeof createServices>>;

/** What has begun, and must end in its turn. */
interface Running {
  services: Services;
  http: FastifyInstance;
  sockets: OpenSockets;
  housekeeping: Housekeeping;
  consumers: Consumers;
  headPoll: HeadPoll | undefined;
  control: Control | undefined;
  endOverloadWatch(): void;
  endHeapWatch(): void;
  /** Nobody of the last run is expected back any more. */
  endExpectations(): void;
}

/** What reads the rooms' logs. */
interface Consumers {
  notifier: LogConsumer;
  indexer: LogConsumer;
  /** Undefined: the server makes no previews of links. */
  previews: { stop(): Promise<void> } | undefined;
}

/** Starts the whole service; `onFatal` is called when it cannot go on. */
export async function startApp(config: Config, log: Logger, onFatal: (error: Error) => void): Promise<App> {
  const services = await createServices(config, log, onFatal);
  const { lifecycle, store, shared, presence, rosters, sessions, setup, upgrader } = services;
  let consumers: Consumers | undefined;
  const renderMetrics = metricsOf(services, config, () => consumers);
  const http = await createHttpServer({
    ...services,
    log,
    build: readBuildInfo(),
    metricsToken: config.metricsToken,
    hasProxy: config.trustProxy.length > 0,
    scrape: cluster.isWorker
      ? async () => await (await import('./workers/scrape-all.ts')).scrapeAll()
      : async () => await renderMetrics(),
    allowedOrigins: config.allowedOrigins,
    clientDir: findClientDir(config.clientDir),
    checkWsUrl: (url) => void targetOf(url),
    openWebSocket: (request, socket, head) => upgrader.handle(request, socket, head),
  });
  const sockets = new OpenSockets(http.server);

  await sessions.load();
  const setupCode = await setup.begin();
  let endExpectations = () => {};
  if (rosters) await rosters.start();
  else endExpectations = await expectRoster(store, presence);
  const headPoll = services.startHeadPoll?.();
  consumers = {
    notifier: services.startNotifier(),
    indexer: services.startIndexer(),
    previews: services.previews?.start(),
  };
  const housekeeping = new Housekeeping({ ...services, log });

  const control = shared ? undefined : await services.startControl();
  await collectStartGarbage();
  await http.listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG });
  limitConnections(http.server, log);
  const endOverloadWatch = watchOverload(config.overload, lifecycle, log);
  const endHeapWatch = watchQuietHeap();
  housekeeping.doWhatIsDue();

  const begun = { services, http, sockets, housekeeping, consumers, headPoll, control };
  const running: Running = { ...begun, endOverloadWatch, endHeapWatch, endExpectations };
  return {
    address: http.server.address() as AddressInfo,
    setupCode,
    renderMetrics,
    acceptNoMore() {
      http.server.close();
    },
    stop: ({ isHandedOver } = { isHandedOver: false }) => stop(running, config, log, isHandedOver),
  };
}

function metricsOf(
  {
    hub,
    lifecycle,
    database,
    epoch,
    ofDatabase,
    now,
    rosters,
    bus,
    shared,
    uploads,
    serving,
    janitor,
    previews,
    store,
  }: Services,
  config: Config,
  consumers: () => Consumers | undefined,
): RenderMetrics {
  return createRenderer({
    build: readBuildInfo(),
    dataDir: config.database === undefined ? config.dataDir : undefined,
    sockets: () => hub.sockets(),
    rooms: () => hub.openRooms,
    notifier: () => consumers()?.notifier.backlog ?? { roomsBehind: 0, lagMs: 0, hasLease: false },
    searchLagMs: () => consumers()?.indexer.backlog.lagMs ?? 0,
    previewsWaiting: () => previews?.waiting() ?? 0,
    isOverloaded: () => lifecycle.isOverloaded,
    database,
    epoch,
    backupDir: config.backups?.into,
    lastBackup: ofDatabase && latestOf(ofDatabase.lastBackup),
    files: {
      open: () => uploads.open,
      sent: () => serving.places.taken,
      lagMs: () => janitor.lagMs,
      counts: latestOf(async () => (janitor.hasFiles ? await store.fileCounts() : undefined)),
    },
    filesDir: config.files.folder,
    ofProcesses: {
      postgres: ofDatabase?.figures,
      clockOffsetMs: () => now() - Date.now(),
      rosters: rosters && (() => rosters.figures),
      isRedisConnected: () => !bus.isInDoubt,
      strangers: () => shared?.strangers() ?? 0,
    },
  });
}

/** New work ends first, then what was accepted, and the store last. */
async function stop(running: Running, config: Config, log: Logger, isHandedOver: boolean): Promise<void> {
  const { http, sockets } = running;
  const { notifier, indexer, previews } = running.consumers;
  const { lifecycle, store, bus, shared, presence, rosters, posting, hub, sender } = running.services;
  lifecycle.draining = true;
  running.housekeeping.stop();
  running.control?.close();
  running.endOverloadWatch();
  running.endHeapWatch();
  running.endExpectations();
  hub.announceRestart(config.rateLimit, isHandedOver ? 0 : undefined);
  await posting.idle(COMMITS_GRACE_MS);
  if (rosters) await rosters.leave();
  else
    await saveRoster(store, presence).catch((error) => {
      log.warn({ err: error }, 'who is online could not be saved for the restart');
    });
  await hub.closeAll(SOCKETS_GRACE_MS);
  const cut = setTimeout(() => sockets.destroyAll(), REQUESTS_GRACE_MS);
  await http.close();
  clearTimeout(cut);
  running.headPoll?.stop();
  // Their pictures are files.
  if (previews) await within(CONSUMER_GRACE_MS, previews.stop(), 'late').catch(() => undefined);
  await within(FILES_GRACE_MS, running.services.stopFiles(), 'late').catch(() => undefined);
  await Promise.all([
    sender.stop(PUSH_GRACE_MS),
    within(CONSUMER_GRACE_MS, notifier.stop(), 'late').catch(() => undefined),
    within(CONSUMER_GRACE_MS, indexer.stop(), 'late').catch(() => undefined),
  ]);
  await within(CONSUMER_GRACE_MS, running.services.searchIndex.close(), 'late').catch(() => undefined);
  await bus.close();
  await shared?.close();
  await store.close();
}
