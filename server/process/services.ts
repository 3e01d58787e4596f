/**
 * The composition: with shared-services.ts, the only place that knows which adapter stands behind which interface.
 */
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import proxyAddr from '@fastify/proxy-addr';
import { RESTART_GRACE_MS } from '../../protocol/limits.ts';
import { ScheduledBackups } from '../data/backup/scheduled.ts';
import { createMemoryBus } from '../data/bus/memory.ts';
import { createHealthCheck } from '../data/storage/health-check.ts';
import { openSqliteStore } from '../data/storage/sqlite/sqlite-store.ts';
import { HeadPoll } from '../entrypoints/realtime/head-poll.ts';
import { Hub } from '../entrypoints/realtime/hub.ts';
import { Upgrader } from '../entrypoints/realtime/upgrade/upgrade.ts';
import { Administration } from '../features/administration/administration.ts';
import { startControl } from '../features/administration/control.ts';
import { KeepLess } from '../features/administration/keep-less.ts';
import { Moderation } from '../features/administration/moderation.ts';
import { runOperator } from '../features/administration/operator.ts';
import { Registrations } from '../features/administration/registrations.ts';
import { Removal } from '../features/administration/removal.ts';
import { composeAttention } from '../features/attention/compose.ts';
import { Accounts } from '../features/identity/accounts.ts';
import { Passwords } from '../features/identity/passwords.ts';
import { People } from '../features/identity/people.ts';
import { deriveKeys, idOfSecret, loadSecret } from '../features/identity/secret.ts';
import { Sessions } from '../features/identity/sessions.ts';
import { Setup } from '../features/identity/setup.ts';
import { Tickets } from '../features/identity/tickets.ts';
import { Changes } from '../features/messages/changes.ts';
import { History } from '../features/messages/history.ts';
import { Posting } from '../features/messages/post.ts';
import { Threads } from '../features/messages/threads.ts';
import { Presence } from '../features/presence/presence.ts';
import { Typing } from '../features/presence/typing.ts';
import { PushKeys } from '../features/push/keys.ts';
import { Sender } from '../features/push/sender.ts';
import { PushSubscriptions } from '../features/push/subscriptions.ts';
import { type From, Invites } from '../features/rooms/invites.ts';
import { Members } from '../features/rooms/members.ts';
import { Newcomers } from '../features/rooms/newcomers.ts';
import { Rooms } from '../features/rooms/rooms.ts';
import { readBuildInfo } from '../platform/build-info.ts';
import type { Config } from '../platform/config.ts';
import { Lifecycle } from '../platform/lifecycle.ts';
import type { Limiter } from '../platform/limits/limiter.ts';
import { createMemoryLimits, type Limits } from '../platform/limits/limits.ts';
import { RequestLimit } from '../platform/limits/request-limit.ts';
import type { BucketRate } from '../platform/limits/token-bucket.ts';
import { type Logger, throttled } from '../platform/log.ts';
import { addressKey, createClientAddressOf } from '../platform/net/client-address.ts';
import { isDirect } from '../platform/net/direct-request.ts';
import { OriginPolicy } from '../platform/net/origin.ts';
import { ProxyWarnings } from '../platform/net/proxy-warnings.ts';
import { Outgoing } from '../platform/outgoing/outgoing.ts';
import type { SharedOptions } from './shared-services.ts';
import { patiently } from './start-patience.ts';

const SECOND_US = 1_000_000;
/** For push services, which want to know whom to write to, where PUBLIC_URL does not say it. */
const NO_CONTACT = 'mailto:operator@roomful.invalid';
/** How long it takes to send all users to other processes. */
const MOVE_OVER_MS = 8000;
/**
 * Changes of rooms and of their members by one user. At their largest they are about as much text as the same user may
 * post.
 */
const ROOM_CHANGES = { capacity: 60, refill: 1, refillIntervalUs: SECOND_US };
/** Edits, deletions, reactions, pins and bookmarks of one user. */
const MESSAGE_CHANGES = { capacity: 40, refill: 10, refillIntervalUs: SECOND_US };
const PROFILE_CHANGES = { capacity: 30, refill: 1, refillIntervalUs: 2 * SECOND_US };
/** Push subscriptions, and test notifications. */
const PUSH_CHANGES = { capacity: 20, refill: 1, refillIntervalUs: 10 * SECOND_US };
const HOUR_US = 3600 * SECOND_US;
const FAILED_LOGINS = { capacity: 10, refill: 10, refillIntervalUs: 60 * SECOND_US };

/** Opens the adapters and puts the use cases together; `onFatal` is called when the store cannot go on. */
export async function createServices(config: Config, log: Logger, onFatal: (error: Error) => void) {
  const lifecycle = new Lifecycle();
  const { store, epoch, now, ofDatabase } = await patiently(log, () => openStore(config, log, onFatal));
  const shared = await patiently(log, () =>
    openShared(config, ofDatabase && { ...ofDatabase, installationId: config.installationId, epoch, log }),
  );
  const bus = shared?.bus ?? createMemoryBus();
  const { secret, warnings } =
    config.jwtSecret === undefined ? loadSecret(config.dataDir) : { secret: config.jwtSecret, warnings: [] };
  for (const warning of warnings) log.warn(warning);
  const keys = deriveKeys(secret, epoch);
  const limits = (await shared?.limitsWith(secret)) ?? createMemoryLimits();
  const passwords = new Passwords();
  const presence = new Presence();
  const rosters = shared?.rostersOf(presence);
  const typing = new Typing(bus);
  const sessions = new Sessions({
    store,
    bus,
    keys,
    accessTtlS: config.accessTokenTtlS,
    refreshTtlS: config.refreshTokenTtlS,
    now,
  });
  const accounts = new Accounts({
    store,
    sessions,
    passwords,
    failedLogins: limits.limiter('failed logins', FAILED_LOGINS),
    newAccounts: perAddress(limits, 'new accounts', config.accountsPerHour, HOUR_US),
    now,
  });
  const tickets = new Tickets({ store, sessions, keys, ttlS: config.ticketTtlS, now });
  const setup = new Setup({ store, bus, key: keys.setup, isShared: config.database !== undefined, now });
  const { roomsPerDay, dmsPerDay, inviteTriesPerMinute } = config;
  const changesOf = (what: string, rate: BucketRate) =>
    isOff(config.messageLimit) ? undefined : limits.limiter(`changes of ${what}`, rate);
  const changes = changesOf('rooms', ROOM_CHANGES);
  const profileChanges = changesOf('profiles', PROFILE_CHANGES);
  const messageChanges = changesOf('messages', MESSAGE_CHANGES);
  const pushChanges = changesOf('push subscriptions', PUSH_CHANGES);
  const people = new People({ store, bus, changes: profileChanges, now });
  const rooms = new Rooms({ store, presence, bus, roomsPerDay, dmsPerDay, changes, now });
  const members = new Members({ store, presence, bus, epoch, changes, now });
  const attempts = perAddress(limits, 'invitations', inviteTriesPerMinute, 60 * SECOND_US);
  const invites = new Invites({
    store,
    bus,
    attempts,
    changes,
    now,
  });
  const newcomers = new Newcomers({
    members,
    invites,
    onMissed: throttled((error, count) =>
      log.warn({ err: causeOf(error), count }, 'new users joined no room'),
    ),
  });
  const outgoing = new Outgoing({ allow: config.outgoingAllow });
  const pushKeys = new PushKeys(store);
  const contact = config.publicUrls.find((url) => url.startsWith('https:')) ?? NO_CONTACT;
  const sender = new Sender({ store, keys: pushKeys, outgoing, log, contact, now });
  const push = new PushSubscriptions({ store, keys: pushKeys, sender, outgoing, changes: pushChanges, now });
  const isShared = shared !== undefined;
  const attention = composeAttention({ store, bus, presence, sender, log, now, isShared });
  const history = new History(store, epoch, now);
  const messages = new Changes({ store, bus, budget: messageChanges, now });
  const administration = new Administration({
    store,
    bus,
    attempts,
    now,
    version: readBuildInfo().version,
    announceEnd: (sessionId) => sessions.announceEnd(sessionId),
  });
  const moderation = new Moderation({ store, bus, messages, changes, now });
  const origin = config.publicUrls[0] ?? `http://localhost:${config.port}`;
  const removal = new Removal({
    store,
    bus,
    now,
    announceEnd: (sessionId) => sessions.announceEnd(sessionId),
  });
  const registrations = new Registrations({
    store,
    bus,
    now,
    announceEnd: (sessionId) => sessions.announceEnd(sessionId),
  });
  const deleteTexts = () => {
    removal
      .deleteTexts()
      .catch((error) => log.warn({ err: error }, 'texts of removed accounts remain; they are tried again'));
  };
  const { keepMessagesDays, keepAuditDays } = config;
  const keepLess = new KeepLess({ store, bus, keepMessagesDays, keepAuditDays, now });
  const backups = new ScheduledBackups({ store, settings: config.backups, now, log });
  const operator = { store, bus, administration, removal, registrations, passwords, origin };
  const threads = new Threads({ store, bus, epoch, budget: messageChanges, now });
  const posting = new Posting({
    store,
    bus,
    now,
    onRefused: throttled((error, count) =>
      log.error({ err: causeOf(error), count }, 'messages refused: the database takes no writes'),
    ),
  });
  const hub = new Hub({ store, presence, typing, bus, epoch, messageLimit: config.messageLimit, now });
  const onLost = (error: Error) => {
    ofDatabase
      ?.renewEpoch(() => log.error({ err: error }, 'the database has lost messages: a new epoch begins'))
      .catch(() => undefined);
  };
  const startHeadPoll = shared && (() => new HeadPoll({ store, bus, hub, sessions, epoch, onLost, onFatal }));
  const isExempt = proxyAddr.compile(config.rateLimitExempt);
  const requestLimit = new RequestLimit({
    ...config.rateLimit,
    isExempt: (address) => isExempt(address, 0),
    limits,
  });
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
  const attemptsFrom = (request: IncomingMessage): From => {
    const address = clientAddressOf(request);
    return { key: isExempt(address, 0) ? undefined : addressKey(address) };
  };
  /** Tests and scripts on the machine itself have no limit; a proxy there that nobody trusts has one. */
  const newcomersFrom = (request: IncomingMessage): From =>
    isDirect(request) ? { key: undefined } : attemptsFrom(request);
  const upgrader = new Upgrader({
    hub,
    store,
    tickets,
    sessions,
    posting,
    typing,
    requestLimit,
    lifecycle,
    log,
    clientAddressOf,
    origins,
    proxyWarnings,
    now,
    changes: messages,
    messageLimit: isOff(config.messageLimit) ? undefined : config.messageLimit,
    socketsPerUser: config.socketsPerUser,
    socketsPerAddress: config.socketsPerAddress,
    makeSlots: rosters && shared?.slotsWith(secret, rosters),
  });
  const database = createHealthCheck(store);
  const isDatabaseHealthy = () => database.check();
  rosters?.watchDatabase({
    isDatabaseHealthy,
    move() {
      log.warn('this process alone does not reach the database: its users move to the others');
      void hub.moveAway(MOVE_OVER_MS, RESTART_GRACE_MS);
    },
  });
  return {
    lifecycle,
    isDatabaseHealthy,
    database,
    isBrokerHealthy: shared && (() => !bus.isInDoubt),
    store,
    bus,
    epoch,
    ofDatabase,
    shared,
    presence,
    rosters,
    sessions,
    accounts,
    tickets,
    history,
    changes: messages,
    threads,
    posting,
    ...attention,
    administration,
    removal,
    registrations,
    deleteTexts,
    keepLess,
    backups,
    moderation,
    startControl: () => startControl(config.dataDir, (name, args) => runOperator(operator, name, args), log),
    passwords,
    push,
    sender,
    people,
    setup,
    rooms,
    members,
    invites,
    newcomers,
    attemptsFrom,
    newcomersFrom,
    hub,
    startHeadPoll,
    upgrader,
    requestLimit,
    clientAddressOf,
    origins,
    proxyWarnings,
    now,
  };
}

/** PostgreSQL's adapter and its driver are loaded only where they are used. */
async function openStore(
  { database, redisUrl, dataDir, jwtSecret = '' }: Config,
  log: Logger,
  onFatal: (error: Error) => void,
) {
  if (database === undefined) {
    const onWarning = (message: string) => log.warn(message);
    return {
      ...(await openSqliteStore({ dataDir, onFatal, onWarning, onProgress: (message) => log.info(message) })),
      now: Date.now,
      ofDatabase: undefined,
    };
  }
  const { openPostgresStore } = await import('../data/storage/postgres/postgres-store.ts');
  const { primariesLog } = await import('../data/storage/postgres/primaries-log.ts');
  const { secretsLog } = await import('../data/storage/postgres/secrets-log.ts');
  const isShared = redisUrl !== undefined;
  // On PostgreSQL it is always set (config.ts).
  const secretId = idOfSecret(jwtSecret);
  const { version, gitCommit } = readBuildInfo();
  const { store, epoch, now, ...ofDatabase } = await openPostgresStore({
    address: database,
    dataDir,
    isShared,
    onFatal,
    server: {
      name: {
        process: `${hostname()} (${process.pid})`,
        build: `${version} ${gitCommit.slice(0, 7)}`,
        secretId,
      },
      onProcesses: secretsLog(log, secretId),
    },
    onPrimaries: primariesLog(log),
    onForgetful: throttled((error, count) =>
      log.warn({ err: error, count, dataDir }, 'the data folder cannot remember the timeline of PostgreSQL'),
    ),
  });
  return { store, epoch, now, ofDatabase };
}

/** What several processes share over Redis; undefined where one process runs alone, which loads none of it. */
async function openShared({ redisUrl: url }: Config, options: Omit<SharedOptions, 'url'> | undefined) {
  if (url === undefined || options === undefined) return undefined;
  const { openSharedServices } = await import('./shared-services.ts');
  return await openSharedServices({ url, ...options });
}

/** `count` in each interval; 0: no limit. */
function perAddress(limits: Limits, name: string, count: number, intervalUs: number): Limiter | undefined {
  if (count === 0) return undefined;
  return limits.limiter(name, { capacity: count, refill: count, refillIntervalUs: intervalUs });
}

/** The cause of a refusal, for the log. The refusal itself says only what a client may know. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

function isOff({ perSecond, burst }: { perSecond: number; burst: number }): boolean {
  return perSecond === 0 || burst === 0;
}
