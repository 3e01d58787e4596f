/** The name and the picture of the server, which an admin gives it. */
import { mayAdminister } from '../../../rules/admin-access.ts';
import type { AdministrationReads, AdministrationWrites } from '../store.ts';
import { addAudit, roleOf } from './audit.ts';
import { dropPictures, takePicture } from './pictures.ts';
import { sql } from './sql.ts';
import { type AsSteps, first, run, type Steps } from './steps.ts';
import { writeMeta } from './upkeep.ts';

/** In `meta`. */
export const SERVER_NAME = 'server_name';
export const SERVER_ICON = 'server_icon';

export const serverNameWrites: AsSteps<Pick<AdministrationWrites, 'setServerName' | 'setServerIcon'>> = {
  *setServerName({ actorId, name, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return { outcome: 'not_found' };
    const from = (yield* find(SERVER_NAME)) ?? null;
    if (from === name) return { outcome: 'unchanged' };
    yield* set(SERVER_NAME, name);
    yield* addAudit({ action: 'server_named', actorId, now, details: { from, to: name } });
    return { outcome: 'changed' };
  },

  *setServerIcon({ actorId, key, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return { outcome: 'not_found' };
    const from = (yield* find(SERVER_ICON)) ?? null;
    if (from === key) return { outcome: 'unchanged' };
    if (key !== null && !(yield* takePicture({ key, ownerId: actorId, purpose: 'icon' })))
      return { outcome: 'not_found' };
    if (from !== null) yield* dropPictures([from]);
    yield* set(SERVER_ICON, key);
    yield* addAudit({ action: 'server_icon', actorId, now, details: { from, to: key } });
    return { outcome: 'changed' };
  },
};

export const serverNameReads: AsSteps<Pick<AdministrationReads, 'serverName' | 'serverIcon'>> = {
  *serverName() {
    return yield* find(SERVER_NAME);
  },

  *serverIcon() {
    return yield* find(SERVER_ICON);
  },
};

function* find(key: string): Steps<string | undefined> {
  return (yield* first<{ value: string }>(sql`SELECT value FROM meta WHERE key = ${key}`))?.value;
}

function* set(key: string, value: string | null): Steps<void> {
  if (value === null) yield* run(sql`DELETE FROM meta WHERE key = ${key}`);
  else yield* writeMeta(key, value);
}
