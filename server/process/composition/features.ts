/** The features, each with the others that it stands on. */
import { ScheduledBackups } from '../../data/backup/scheduled.ts';
import type { Places } from '../../data/blobs/places.ts';
import { Administration } from '../../features/administration/administration.ts';
import { startControl } from '../../features/administration/control.ts';
import { KeepLess } from '../../features/administration/keep-less.ts';
import { Moderation } from '../../features/administration/moderation.ts';
import { runOperator } from '../../features/administration/operator.ts';
import type { IndexControl } from '../../features/administration/operator-command.ts';
import { Registrations } from '../../features/administration/registrations.ts';
import { Removal } from '../../features/administration/removal.ts';
import { ServerEmoji } from '../../features/administration/server-emoji.ts';
import { ServerIcon } from '../../features/administration/server-icon.ts';
import { ServerName } from '../../features/administration/server-name.ts';
import type { Checker } from '../../features/files/checker.ts';
import type { Pictures } from '../../features/files/pictures.ts';
import type { Uploads } from '../../features/files/uploads.ts';
import { Accounts } from '../../features/identity/accounts.ts';
import { Passwords } from '../../features/identity/passwords.ts';
import { People } from '../../features/identity/people.ts';
import type { Keys } from '../../features/identity/secret.ts';
import { Sessions } from '../../features/identity/sessions.ts';
import { Setup } from '../../features/identity/setup.ts';
import { SignInLinks } from '../../features/identity/sign-in-links.ts';
import { Tickets } from '../../features/identity/tickets.ts';
import { Changes } from '../../features/messages/changes.ts';
import { History } from '../../features/messages/history.ts';
import { Posting } from '../../features/messages/post.ts';
import { Threads } from '../../features/messages/threads.ts';
import { PushKeys } from '../../features/push/keys.ts';
import { Sender } from '../../features/push/sender.ts';
import { PushSubscriptions } from '../../features/push/subscriptions.ts';
import { Invites } from '../../features/rooms/invites.ts';
import { Members } from '../../features/rooms/members.ts';
import { Newcomers } from '../../features/rooms/newcomers.ts';
import { Rooms } from '../../features/rooms/rooms.ts';
import { readBuildInfo } from '../../platform/build-info.ts';
import { throttled } from '../../platform/log.ts';
import { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { Base } from './base.ts';
import type { Budgets } from './budgets.ts';

/** Fewer than those of notifications, and apart from them: pages may be slow. */
const PREVIEW_SLOTS = { perHost: 2, total: 16, maxWaiting: 200, maxWaitMs: 30_000 };
/** For push services, which want to know whom to write to, where PUBLIC_URL does not say it. */
const NO_CONTACT = 'mailto:operator@roomful.invalid';

export function composeIdentity({ config, store, bus, now }: Base, budgets: Budgets, keys: Keys) {
  const passwords = new Passwords();
  const lifetimes = { accessTtlS: config.accessTokenTtlS, refreshTtlS: config.refreshTokenTtlS };
  const sessions = new Sessions({ store, bus, keys, ...lifetimes, now });
  const { failedLogins, newAccounts } = budgets;
  return {
    passwords,
    sessions,
    accounts: new Accounts({ store, sessions, passwords, failedLogins, newAccounts, now }),
    tickets: new Tickets({ store, sessions, keys, ttlS: config.ticketTtlS, ...lifetimes, now }),
    signInLinks: new SignInLinks({ store, sessions, attempts: budgets.inviteTries, now }),
    setup: new Setup({ store, bus, key: keys.setup, isShared: config.database !== undefined, now }),
    people: new People({ store, bus, changes: budgets.profileChanges, now }),
  };
}

export function composeRooms({ config, log, store, bus, epoch, now, presence }: Base, budgets: Budgets) {
  const { roomsPerDay, dmsPerDay } = config;
  const changes = budgets.roomChanges;
  const members = new Members({ store, presence, bus, epoch, changes, now });
  const invites = new Invites({ store, bus, attempts: budgets.inviteTries, changes, now });
  const newcomers = new Newcomers({
    members,
    invites,
    onMissed: throttled((error, count) =>
      log.warn({ err: causeOf(error), count }, 'new users joined no room'),
    ),
  });
  return {
    rooms: new Rooms({ store, presence, bus, roomsPerDay, dmsPerDay, changes, now }),
    members,
    invites,
    newcomers,
  };
}

export function composeMessages({ log, store, bus, epoch, now }: Base, budgets: Budgets) {
  const budget = budgets.messageChanges;
  return {
    history: new History(store, epoch, now),
    changes: new Changes({ store, bus, budget, now }),
    threads: new Threads({ store, bus, epoch, budget, now }),
    posting: new Posting({
      store,
      bus,
      now,
      onRefused: throttled((error, count) =>
        log.error(
          { err: causeOf(error), count },
          'messages refused: the database takes no writes, or more wait for it than may',
        ),
      ),
    }),
  };
}

export function composePush({ config, log, store, now }: Base, budgets: Budgets) {
  const outgoing = new Outgoing({ allow: config.outgoingAllow });
  const keys = new PushKeys(store);
  const contact = config.publicUrls.find((url) => url.startsWith('https:')) ?? NO_CONTACT;
  const sender = new Sender({ store, keys, outgoing, log, contact, now });
  const changes = budgets.pushChanges;
  return { sender, push: new PushSubscriptions({ store, keys, sender, outgoing, changes, now }) };
}

/** Undefined where the operator wants no previews: then nothing of it is loaded. */
export async function composeLinkPreviews(
  { config, log, store, bus, now }: Base,
  files: { uploads: Uploads; checker: Checker; places: Places; isShared: boolean },
) {
  if (!config.linkPreviews) return undefined;
  const { composePreviews } = await import('../../features/previews/compose.ts');
  const { outgoingAllow: allow, publicUrls: ownOrigins } = config;
  const outgoing = new Outgoing({ allow, slots: PREVIEW_SLOTS });
  return composePreviews({ store, bus, log, now, outgoing, allow, ownOrigins, ...files });
}

export interface Administered {
  sessions: Sessions;
  passwords: Passwords;
  messages: Changes;
  pictures: Pictures;
  search: IndexControl;
}

export function composeAdministration(
  { config, log, store, bus, now }: Base,
  budgets: Budgets,
  { sessions, passwords, messages, pictures, search }: Administered,
) {
  const announceEnd = (sessionId: number) => sessions.announceEnd(sessionId);
  const administration = new Administration({
    store,
    bus,
    attempts: budgets.inviteTries,
    now,
    version: readBuildInfo().version,
    searchStatus: search.status,
    announceEnd,
  });
  const serverName = new ServerName({ store, now });
  const removal = new Removal({ store, bus, now, announceEnd });
  const registrations = new Registrations({ store, bus, now, announceEnd });
  const origin = config.publicUrls[0] ?? `http://localhost:${config.port}`;
  const operator = {
    ...{ store, bus, administration, serverName, removal, registrations, passwords, search, origin },
  };
  const { keepMessagesDays, keepAuditDays } = config;
  return {
    administration,
    serverName,
    serverEmoji: new ServerEmoji({ store, pictures, changes: budgets.profileChanges, now }),
    serverIcon: new ServerIcon({ store, now }),
    moderation: new Moderation({ store, bus, messages, changes: budgets.roomChanges, now }),
    removal,
    registrations,
    keepLess: new KeepLess({ store, bus, keepMessagesDays, keepAuditDays, now }),
    backups: new ScheduledBackups({ store, settings: config.backups, now, log }),
    deleteTexts() {
      removal
        .deleteTexts()
        .catch((error) => log.warn({ err: error }, 'texts of removed accounts remain; they are tried again'));
    },
    startControl: () => startControl(config.dataDir, (name, args) => runOperator(operator, name, args), log),
  };
}

/** The cause of a refusal, for the log. The refusal itself says only what a client may know. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
