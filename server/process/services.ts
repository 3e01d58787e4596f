/**
 * The composition: with `composition/` and shared-services.ts, the only place that knows which adapter stands behind
 * which interface.
 */
import { RESTART_GRACE_MS } from '../../protocol/limits.ts';
import { createMemoryBus } from '../data/bus/memory.ts';
import { createHealthCheck } from '../data/storage/health-check.ts';
import { HeadPoll } from '../entrypoints/realtime/head-poll.ts';
import { Hub } from '../entrypoints/realtime/hub.ts';
import { Upgrader } from '../entrypoints/realtime/upgrade/upgrade.ts';
import { composeFiles } from '../features/files/compose.ts';
import { deriveKeys, loadSecret } from '../features/identity/secret.ts';
import { composeNotifications } from '../features/notifications/compose.ts';
import { Presence } from '../features/presence/presence.ts';
import { Typing } from '../features/presence/typing.ts';
import { composeSearch, lateStems } from '../features/search/compose.ts';
import type { Config } from '../platform/config.ts';
import { Lifecycle } from '../platform/lifecycle.ts';
import { createMemoryLimits } from '../platform/limits/limits.ts';
import { type Logger, throttled } from '../platform/log.ts';
import type { Base } from './composition/base.ts';
import { createBudgets, isOff } from './composition/budgets.ts';
import {
  composeAdministration,
  composeIdentity,
  composeLinkPreviews,
  composeMessages,
  composePush,
  composeRooms,
} from './composition/features.ts';
import { openStore } from './composition/open-store.ts';
import { openPlaces, openScanner } from './composition/places.ts';
import { createRequestRules } from './composition/request-rules.ts';
import { createSearchIndex } from './composition/search-index.ts';
import type { SharedOptions } from './shared-services.ts';
import { patiently } from './start-patience.ts';

/** How long it takes to send all users to other processes. */
const MOVE_OVER_MS = 8000;

/** Opens the adapters and puts the use cases together; `onFatal` is called when the store cannot go on. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list, in the order in which parts need each other.
export async function createServices(config: Config, log: Logger, onFatal: (error: Error) => void) {
  const lifecycle = new Lifecycle();
  const { store, epoch, now, ofDatabase } = await patiently(log, () => openStore(config, log, onFatal));
  const shared = await patiently(log, () =>
    openShared(config, ofDatabase && { ...ofDatabase, installationId: config.installationId, epoch, log }),
  );
  const bus = shared?.bus ?? createMemoryBus();
  const secret = secretOf(config, log);
  const limits = (await shared?.limitsWith(secret)) ?? createMemoryLimits();
  const presence = new Presence();
  const rosters = shared?.rostersOf(presence);
  const typing = new Typing(bus);

  const base: Base = { config, log, store, bus, epoch, now, presence };
  const budgets = createBudgets(config, limits);
  const identity = composeIdentity(base, budgets, deriveKeys(secret, epoch));
  const rooms = composeRooms(base, budgets);
  const messages = composeMessages(base, budgets);
  const push = composePush(base, budgets);
  const isShared = shared !== undefined;
  const notifications = composeNotifications({
    store,
    bus,
    presence,
    sender: push.sender,
    log,
    now,
    isShared,
  });
  const stems = lateStems(config.searchLanguages);
  const tellDamage = throttled((error, count) =>
    log.error({ err: error, count }, 'the index of the search was damaged, and is being built anew'),
  );
  const onDamage = (error: string) => {
    tellDamage(error);
    search.refillIndex();
  };
  const index = createSearchIndex(config, { store, epoch, ofDatabase, stems, onDamage });
  const search = composeSearch({ store, bus, log, now, isShared, index, stems, budget: budgets.searches });
  const places = await openPlaces(config.files);
  const scanner = await openScanner(config.files);
  const isAlone = shared === undefined;
  const hasEnded = (sessionId: number) => identity.sessions.hasEnded(sessionId);
  const files = composeFiles({
    store,
    places,
    bus,
    settings: config.files,
    scanner,
    isAlone,
    hasEnded,
    now,
    log,
  });
  const { uploads, checker } = files;
  const previews = await composeLinkPreviews(base, { uploads, checker, places, isShared });
  const { sessions, passwords, tickets } = identity;
  const { posting, changes } = messages;
  const administration = composeAdministration(base, budgets, {
    ...{ sessions, passwords, messages: changes, pictures: files.pictures, search: search.searchControl },
  });

  const { serverName, serverEmoji } = administration;
  const requestRules = createRequestRules(config, log, limits);
  const { messageLimit, socketsPerUser, socketsPerAddress, linkPreviews } = config;
  const { fileBytes } = config.files;
  const hub = new Hub({
    ...{ store, presence, typing, bus, epoch, messageLimit, fileBytes, linkPreviews },
    ...{ serverName, serverEmoji, now },
  });
  const onLost = (error: Error) => {
    ofDatabase
      ?.renewEpoch(() => log.error({ err: error }, 'the database has lost messages: a new epoch begins'))
      .catch(() => undefined);
  };
  const startHeadPoll = shared && (() => new HeadPoll({ store, bus, hub, sessions, epoch, onLost, onFatal }));
  const upgrader = new Upgrader({
    ...requestRules,
    hub,
    store,
    tickets,
    sessions,
    posting,
    changes,
    typing,
    lifecycle,
    log,
    now,
    messageLimit: isOff(messageLimit) ? undefined : messageLimit,
    socketsPerUser,
    socketsPerAddress,
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
    now,
    ofDatabase,
    shared,
    presence,
    rosters,
    ...identity,
    ...rooms,
    ...messages,
    ...push,
    ...files,
    previews,
    ...notifications,
    ...search,
    ...administration,
    ...requestRules,
    hub,
    startHeadPoll,
    upgrader,
  };
}

/** What several processes share over Redis; undefined where one process runs alone, which loads none of it. */
async function openShared({ redisUrl: url }: Config, options: Omit<SharedOptions, 'url'> | undefined) {
  if (url === undefined || options === undefined) return undefined;
  const { openSharedServices } = await import('./shared-services.ts');
  return await openSharedServices({ url, ...options });
}

/** The secret of the settings, or that of the data folder, which is made at the first start. */
function secretOf({ jwtSecret, dataDir }: Config, log: Logger): string {
  if (jwtSecret !== undefined) return jwtSecret;
  const { secret, warnings } = loadSecret(dataDir);
  for (const warning of warnings) log.warn(warning);
  return secret;
}
