/** The form of an export (docs/EXPORT.md): a manifest, and a file of JSON Lines for each table. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { registrationSchema } from '../../protocol/administration.ts';
import { MESSAGES, NUMBERED, planTables, withoutLeftBehind } from '../storage/copy/tables.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { openDatabase } from '../storage/sqlite/driver/open.ts';
import { updateSchema } from '../storage/sqlite/migrate.ts';

export const FORMAT = 'roomful export 1';
/** The setting of `meta` that is exported. All other keys belong to one database or one process. */
export const REGISTRATION = 'registration';

/** Secrets, what is bound to a session, and what does not live long. docs/EXPORT.md names each with its reason. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['sessions', 'refresh_tokens', 'spent_tickets', 'push_subscriptions'],
  ...['password_resets', 'invites', 'notify_log'],
]);

export interface Column {
  readonly name: string;
  readonly type: 'integer' | 'text';
  readonly isNullable: boolean;
}

export interface ExportTable {
  readonly name: string;
  /** Unique columns, by which the lines are sorted. */
  readonly key: readonly string[];
  /** In the order in which a line has them. */
  readonly columns: readonly string[];
  readonly types: readonly Column[];
  /** A condition in SQL: only these rows. */
  readonly where?: string;
}

/** The tables of an export, as the migrations make them. What one adds is exported without more ado. */
export function exportTables(): ExportTable[] {
  const sqlite = openDatabase(':memory:', { timeoutMs: 0 });
  try {
    updateSchema(sqlite);
    const all = sqlite
      .prepare<[], { table: string; column: string; type: string; isRequired: number; isKey: number }>(`
        SELECT entry.name AS "table", info.name AS "column", info.type, info."notnull" AS "isRequired",
          info.pk AS "isKey"
        FROM sqlite_schema AS entry JOIN pragma_table_info(entry.name) AS info
        WHERE entry.type = 'table' AND entry.name NOT LIKE 'sqlite_%'`)
      .all();
    const catalog = new Map<string, string[]>();
    for (const { table, column } of all) catalog.set(table, [...(catalog.get(table) ?? []), column]);
    return planTables(catalog, withoutLeftBehind(catalog))
      .filter(({ name }) => !LEFT_OUT.has(name))
      .map(({ name, key, columns }) => {
        // By their ids, which is the order in which SQLite stores them.
        const ordered = name === MESSAGES.name ? ['id'] : key;
        const types = [...ordered, ...columns.filter((column) => !ordered.includes(column)).toSorted()].map(
          (column): Column => {
            const found = all.find((one) => one.table === name && one.column === column);
            return {
              name: column,
              type: found?.type === 'TEXT' ? 'text' : 'integer',
              isNullable: found?.isRequired === 0 && found.isKey === 0,
            };
          },
        );
        return { name, key: ordered, columns: types.map((type) => type.name), types };
      });
  } finally {
    sqlite.close();
  }
}

/** Of one room, for somebody else: nothing that is a person's own, and of people only what the room shows. */
const ROOM_FIELDS: Readonly<Record<string, readonly string[] | 'all'>> = {
  users: ['id', 'username', 'display_name', 'kind'],
  rooms: 'all',
  members: ['user_id', 'room_id', 'role', 'joined_at', 'left_at'],
  message_revisions: 'all',
  reactions: 'all',
  messages: 'all',
};

/** The tables of an export of one room. */
export function roomTables(roomId: number): ExportTable[] {
  const ofRoom = `room_id = ${roomId}`;
  const people = ['members', 'messages', 'reactions'].map(
    (name) => `SELECT user_id FROM ${name} WHERE ${ofRoom}`,
  );
  const where: Readonly<Record<string, string>> = {
    users: `id IN (${people.join(' UNION ')} UNION SELECT owner_id FROM rooms WHERE id = ${roomId})`,
    rooms: `id = ${roomId}`,
  };
  return exportTables().flatMap((table) => {
    const fields = ROOM_FIELDS[table.name];
    if (fields === undefined) return [];
    const types = table.types.filter(({ name }) => fields === 'all' || fields.includes(name));
    const columns = types.map(({ name }) => name);
    return { ...table, types, columns, where: where[table.name] ?? ofRoom };
  });
}

export function fileOf(table: string): string {
  return `${table}.jsonl`;
}

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  made_at: z.string(),
  version: z.string(),
  schema: z.literal(SCHEMA_VERSION),
  epoch: z.string(),
  has_passwords: z.boolean(),
  settings: z.object({ registration: registrationSchema }),
  /** The highest id that each table ever gave. */
  last_ids: z.record(z.enum(NUMBERED), z.int().nonnegative()),
  files: z.record(
    z.string(),
    z.object({ rows: z.int().nonnegative(), bytes: z.int().nonnegative(), sha256: z.string() }),
  ),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const ROOM_FORMAT = 'roomful room 1';

/** `manifest.json` of an export of one room. */
export type RoomManifest = Pick<Manifest, 'made_at' | 'version' | 'schema' | 'files'> & {
  format: typeof ROOM_FORMAT;
  room_id: number;
};

/** A sentence when this version does not understand it. */
export function parseManifest(text: string): Manifest | string {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return 'manifest.json is damaged: it is not JSON.';
  }
  const { format, schema, version } = (found ?? {}) as Record<string, unknown>;
  if (format === ROOM_FORMAT)
    return 'This is the export of one room. Only the export of a whole service can be imported.';
  if (typeof format === 'string' && /^roomful export \d+$/.test(format) && format !== FORMAT)
    return `The export has the format "${format}", and this Roomful knows "${FORMAT}". Import it with a newer Roomful.`;
  if (format === FORMAT && typeof schema === 'number' && schema !== SCHEMA_VERSION)
    return (
      `The export was made by Roomful ${version} (schema ${schema}; this one has ${SCHEMA_VERSION}). ` +
      'Import it with that version, and update afterwards.'
    );
  const { data, error } = manifestSchema.safeParse(found);
  if (data) return data;
  const [issue] = error.issues;
  return `manifest.json is not the one of an export: ${issue?.path.join('.')}: ${issue?.message}.`;
}

/** What a file has, summed up while it is written. */
export class Sum {
  readonly #hash = createHash('sha256');
  rows = 0;
  bytes = 0;

  add(text: Buffer, rows: number): void {
    this.#hash.update(text);
    this.bytes += text.length;
    this.rows += rows;
  }

  end(): Manifest['files'][string] {
    return { rows: this.rows, bytes: this.bytes, sha256: this.#hash.digest('hex') };
  }
}
