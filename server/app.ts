/** The composition: the only file that knows which adapter stands behind which interface. */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { RESTART_GRACE_MS } from '../protocol/limits.ts';
import { readBuildInfo } from './build-info.ts';
import { createMemoryBus } from './bus/memory.ts';
import type { Config } from './config.ts';
import { createHttpServer, serveWithoutUpgrade } from './http/server.ts';
import { findClientDir } from './http/static/static.ts';
import { Accounts } from './identity/accounts.ts';
import { Passwords } from './identity/passwords.ts';
import { deriveKeys, loadSecret } from './identity/secret.ts';
import { Sessions } from './identity/sessions.ts';
import { Tickets } from './identity/tickets.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Limiter } from './limits/limiter.ts';
import { MemoryLimiter } from './limits/memory.ts';
import { type Logger, throttled } from './log.ts';
import { History } from './messages/history.ts';
import { Posting } from './messages/post.ts';
import { watchAnswers } from './net/answer-order.ts';
import { createClientAddressOf } from './net/client-address.ts';
import { limitConnections } from './net/connection-limit.ts';
import { OpenSockets } from './net/open-sockets.ts';
import { OriginPolicy } from './net/origin.ts';
import { ProxyWarnings } from './net/proxy-warnings.ts';
import { Presence, type RosterEntry } from './presence/presence.ts';
import { Typing } from './presence/typing.ts';
import { Hub } from './realtime/hub.ts';
import { Upgrader, whereOf } from './realtime/upgrade/upgrade.ts';
import { Rooms } from './rooms/rooms.ts';
import { openSqliteStore } from './storage/sqlite/sqlite-store.ts';
import type { Store } from './storage/store.ts';

const SECOND_US = 1_000_000;
const FAILED_LOGINS = { capacity: 10, refill: 10, refillIntervalUs: 60 * SECOND_US };
/** Connections that may wait to be accepted: after a cut everybody comes at once, and who is dropped here comes a second late, or seven. */
const LISTEN_BACKLOG = 4096;
const PURGE_EVERY_MS = 3_600_000;
/** How long commits get to finish, sockets to say goodbye, and requests to end, before they are cut. */
const COMMITS_GRACE_MS = 2000;
const SOCKETS_GRACE_MS = 2000;
const REQUESTS_GRACE_MS = 3000;
/** A roster older than this is of another day. */
const ROSTER_MAX_AGE_MS = 60_000;

export interface App {
  /** Where it listens, once it does. */
  address: AddressInfo;
  /** Refuses what is new, finishes what was accepted, closes. */
  stop(): Promise<void>;
}

/** Starts the whole service; `onFatal` is told when it cannot go on. */
export async function startApp(config: Config, log: Logger, onFatal: (error: Error) => void): Promise<App> {
  const lifecycle: Lifecycle = { draining: false };
  const build = readBuildInfo();
  const { store, epoch } = await openSqliteStore({ dataDir: config.dataDir, onFatal });
  const bus = createMemoryBus();
  const { secret, warnings } =
    config.jwtSecret === undefined ? loadSecret(config.dataDir) : { secret: config.jwtSecret, warnings: [] };
  for (const warning of warnings) log.warn(warning);
  const keys = deriveKeys(secret, epoch);
  const passwords = new Passwords();
  const presence = new Presence();
  const typing = new Typing(bus);
  const sessions = new Sessions({
    store,
    bus,
    keys,
    accessTtlS: config.accessTokenTtlS,
    refreshTtlS: config.refreshTokenTtlS,
  });
  const accounts = new Accounts({
    store,
    sessions,
    passwords,
    failedLogins: new MemoryLimiter(FAILED_LOGINS),
  });
  const tickets = new Tickets({ store, sessions, keys, ttlS: config.ticketTtlS });
  const rooms = new Rooms({ store, presence });
  const history = new History(store);
  const posting = new Posting({
    store,
    bus,
    onRefused: throttled((error, count) =>
      log.error({ err: causeOf(error), count }, 'messages refused: the database takes no writes'),
    ),
  });
  const hub = new Hub({ store, presence, typing, bus, epoch, messageLimit: config.messageLimit });
  const limiter = createLimiter(config.rateLimit);
  const proxyWarnings = new ProxyWarnings(log);
  const isTrusted = proxyAddr.compile(config.trustProxy);
  const clientAddressOf = createClientAddressOf({
    trustProxy: config.trustProxy,
    onIgnoredHeader: (peer) => proxyWarnings.forwardedForIgnored(peer),
  });
  const origins = new OriginPolicy({
    allowedOrigins: config.allowedOrigins,
    publicOrigins: config.publicUrls,
    isTrustedProxy: (request) => isTrusted(request.socket.remoteAddress ?? '', 0),
    warnings: proxyWarnings,
  });
  const upgrader = new Upgrader({
    ...{ hub, tickets, sessions, posting, typing, limiter, lifecycle, log, clientAddressOf },
    ...{ origins, proxyWarnings },
    messageLimit: isOff(config.messageLimit) ? undefined : config.messageLimit,
    socketsPerUser: config.socketsPerUser,
    socketsPerAddress: config.socketsPerAddress,
  });
  const http = await createHttpServer({
    ...{
      log,
      limiter,
      clientAddressOf,
      origins,
      proxyWarnings,
      accounts,
      sessions,
      rooms,
      history,
      tickets,
      store,
      lifecycle,
      build,
    },
    allowedOrigins: config.allowedOrigins,
    clientDir: findClientDir(config.clientDir),
    checkWsUrl: (url) => void whereOf(url),
  });
  const sockets = new OpenSockets(http.server);
  const afterEarlierAnswers = watchAnswers(http.server);
  http.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    afterEarlierAnswers(socket, () => {
      if (request.method === 'GET' && /^\/ws(?:\?|$)/.test(request.url ?? ''))
        void upgrader.handle(request, socket, head);
      else serveWithoutUpgrade(http, request, socket, head);
    });
  });

  await sessions.load();
  presence.expect(await loadRoster(store));
  const absences = setTimeout(() => hub.announceAbsences(presence.forgetAbsent()), RESTART_GRACE_MS).unref();
  const housekeeping = setInterval(() => {
    sessions.sweep();
    store
      .purge({ now: Date.now() })
      .catch((error) => log.warn({ err: error }, 'expired rows could not be deleted'));
  }, PURGE_EVERY_MS);
  housekeeping.unref();

  await http.listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG });
  limitConnections(http.server, log);

  return {
    address: http.server.address() as AddressInfo,
    async stop() {
      lifecycle.draining = true;
      clearInterval(housekeeping);
      clearTimeout(absences);
      hub.announceRestart();
      await posting.idle(COMMITS_GRACE_MS);
      await store.saveRoster({ savedAt: Date.now(), roster: presence.roster() }).catch((error) => {
        log.warn({ err: error }, 'who is online could not be saved for the restart');
      });
      await hub.closeAll(SOCKETS_GRACE_MS);
      const cut = setTimeout(() => sockets.destroyAll(), REQUESTS_GRACE_MS);
      await http.close();
      clearTimeout(cut);
      await store.close();
    },
  };
}

/** What is behind a refusal, for the log; the refusal itself says only what a client may know. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

/** Who was here before the planned restart that just ended; nobody, if there was none. */
async function loadRoster(store: Store): Promise<RosterEntry[]> {
  const saved = await store.takeRoster();
  return saved && Date.now() - saved.savedAt < ROSTER_MAX_AGE_MS ? saved.roster : [];
}

function isOff({ perSecond, burst }: { perSecond: number; burst: number }): boolean {
  return perSecond === 0 || burst === 0;
}

function createLimiter(limit: { perSecond: number; burst: number }): Limiter {
  if (isOff(limit)) return { take: () => ({ allowed: true }), check: () => ({ allowed: true }) };
  return new MemoryLimiter({ capacity: limit.burst, refill: limit.perSecond, refillIntervalUs: SECOND_US });
}
