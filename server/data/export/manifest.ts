/** `manifest.json` of an export: of a whole service, or of one room. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { registrationSchema } from '../../../protocol/administration.ts';
import { id } from '../../../protocol/fields.ts';
import { SERVER_NAME_MAX } from '../../../protocol/limits.ts';
import { oneLine } from '../../../protocol/names.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { fileKey, MANIFEST } from '../backup/manifest.ts';
import { NUMBERED } from '../storage/copy/tables.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';

export const FORMAT = 'roomful export 2';
export const ROOM_FORMAT = 'roomful room 2';
/** Since then, migrations have added columns to the tables of a room that may be absent, and nothing else. */
const ROOM_SCHEMA_MIN = 11;

const made = {
  made_at: z.string(),
  version: z.string(),
  schema: z.literal(SCHEMA_VERSION),
  files: z.record(
    z.string(),
    z.object({ rows: z.int().nonnegative(), bytes: z.int().nonnegative(), sha256: z.string() }),
  ),
};

const exportedBytes = z.object({
  count: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Keys of files that were deleted while the export was made. */
  missing: z.array(fileKey),
});

export type ExportedBytes = z.infer<typeof exportedBytes>;

const serverName = z.string().refine((name) => name !== '' && oneLine(name, SERVER_NAME_MAX) === name);

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  ...made,
  epoch: z.string(),
  has_passwords: z.boolean(),
  settings: z.object({
    registration: registrationSchema,
    name: serverName.nullable().default(null),
    icon: fileKey.nullable().default(null),
  }),
  /** The highest id that each table ever gave. */
  last_ids: z.record(z.enum(NUMBERED), z.int().nonnegative()),
  /** The bytes of files; null: they were left out. */
  bytes: exportedBytes.nullable(),
});

const roomManifestSchema = z.object({
  format: z.literal(ROOM_FORMAT),
  ...made,
  schema: z.int().min(ROOM_SCHEMA_MIN).max(SCHEMA_VERSION),
  room_id: id,
  /** As of a service. Exports from before files have none. */
  bytes: exportedBytes.nullable().default(null),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type RoomManifest = z.infer<typeof roomManifestSchema>;

export function isOfRoom(manifest: Manifest | RoomManifest): manifest is RoomManifest {
  return manifest.format === ROOM_FORMAT;
}

/** The manifest in this folder. Throws a sentence when this version does not understand it. */
export function readManifest(from: string): Manifest | RoomManifest {
  if (!existsSync(join(from, MANIFEST)))
    throw new UnusableDatabaseError(`There is no export in ${from}: it has no manifest.json.`);
  const manifest = parseManifest(readFileSync(join(from, MANIFEST), 'utf8'));
  if (typeof manifest === 'string') throw new UnusableDatabaseError(manifest);
  return manifest;
}

/** A sentence when this version does not understand it. */
function parseManifest(text: string): Manifest | RoomManifest | string {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return 'manifest.json is damaged: it is not JSON.';
  }
  const { format, schema, version } = (found ?? {}) as Record<string, unknown>;
  if (format === 'roomful room 1')
    return `The export has the format "${format}", which was for reading only. Export the room again with this Roomful.`;
  const known = /^roomful room \d+$/.test(String(format)) ? ROOM_FORMAT : FORMAT;
  if (typeof format === 'string' && /^roomful (export|room) \d+$/.test(format) && format !== known)
    return (
      `The export has the format "${format}", and this Roomful knows "${known}". ` +
      (numberOf(format) > numberOf(known)
        ? 'Import it with a newer Roomful.'
        : 'Import it with the Roomful that made it, and update afterwards.')
    );
  const isRead = schema === SCHEMA_VERSION || (known === ROOM_FORMAT && isSchemaOfRoom(schema));
  if (format === known && typeof schema === 'number' && !isRead)
    return (
      `The export was made by Roomful ${version} (schema ${schema}; this one has ${SCHEMA_VERSION}). ` +
      'Import it with that version, and update afterwards.'
    );
  const { data, error } = (known === ROOM_FORMAT ? roomManifestSchema : manifestSchema).safeParse(found);
  if (data) return data;
  const [issue] = error.issues;
  return `manifest.json is not the one of an export: ${issue?.path.join('.')}: ${issue?.message}.`;
}

function numberOf(format: string): number {
  return Number(format.split(' ').at(-1));
}

function isSchemaOfRoom(schema: unknown): boolean {
  return roomManifestSchema.shape.schema.safeParse(schema).success;
}
