/** The name of the server, which an admin gives it. */
import { mayAdminister } from '../../../rules/admin-access.ts';
import type { AdministrationReads, AdministrationWrites } from '../store.ts';
import { addAudit, roleOf } from './audit.ts';
import { sql } from './sql.ts';
import { type AsSteps, first, run, type Steps } from './steps.ts';
import { writeMeta } from './upkeep.ts';

/** In `meta`. */
export const SERVER_NAME = 'server_name';

export const serverNameWrites: AsSteps<Pick<AdministrationWrites, 'setServerName'>> = {
  *setServerName({ actorId, name, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return { outcome: 'not_found' };
    const from = (yield* findServerName()) ?? null;
    if (from === name) return { outcome: 'unchanged' };
    if (name === null) yield* run(sql`DELETE FROM meta WHERE key = ${SERVER_NAME}`);
    else yield* writeMeta(SERVER_NAME, name);
    yield* addAudit({ action: 'server_named', actorId, now, details: { from, to: name } });
    return { outcome: 'changed' };
  },
};

export const serverNameReads: AsSteps<Pick<AdministrationReads, 'serverName'>> = {
  *serverName() {
    return yield* findServerName();
  },
};

function* findServerName(): Steps<string | undefined> {
  return (yield* first<{ value: string }>(sql`SELECT value FROM meta WHERE key = ${SERVER_NAME}`))?.value;
}
