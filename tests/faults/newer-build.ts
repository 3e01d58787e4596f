/** A build of a release to come: this one, with a step of the schema and another form of what processes say. */
import { SCHEMA_VERSION } from '../../server/data/storage/migrations/migrations.ts';
import { type Patch, PatchedServer } from '../support/patched-server.ts';

/** The version of the schema that it brings. */
export const NEWER_SCHEMA = SCHEMA_VERSION + 1;

const ENVELOPES = 'server/data/bus/envelopes.js';
/** Events that a process of today would misread, were it not for their version. */
const NEW_FORM: readonly Patch[] = [
  { file: ENVELOPES, find: 'const VERSION = 1;', replace: 'const VERSION = 2;' },
  {
    file: ENVELOPES,
    find: 'JSON.stringify(envelope)',
    replace:
      'JSON.stringify(envelope.events ? { ...envelope, events: envelope.events.map((said) => ({ said })) } : envelope)',
  },
  {
    file: ENVELOPES,
    find: 'JSON.parse(payload)',
    replace: `((envelope) => envelope.v === 2 && envelope.events
      ? { ...envelope, events: envelope.events.map(({ said }) => said) }
      : envelope)(JSON.parse(payload))`,
  },
];

/** `runsFrom`: the oldest schema whose code may run on the result. */
export async function makeNewerBuild(runsFrom: number): Promise<PatchedServer> {
  const postgres = 'ALTER TABLE rooms ADD COLUMN colour TEXT';
  const step = { version: NEWER_SCHEMA, sqlite: '', postgres, runsFrom };
  return await PatchedServer.make([
    ...NEW_FORM,
    {
      file: 'server/data/storage/migrations/migrations.js',
      find: 'export const MIGRATIONS = [',
      replace: `SHARED_MIGRATIONS.push(${JSON.stringify(step)});\nexport const MIGRATIONS = [`,
    },
  ]);
}
