/** The form of an export (docs/EXPORT.md): a manifest, and a file of JSON Lines for each table. */
import { createHash } from 'node:crypto';
import { MESSAGES, planTables, withoutLeftBehind } from '../storage/copy/tables.ts';
import { openDatabase } from '../storage/sqlite/driver/open.ts';
import { updateSchema } from '../storage/sqlite/migrate.ts';
import type { Manifest } from './manifest.ts';

/**
 * The settings of `meta` that are exported are this one, `SERVER_NAME` and `SERVER_ICON`. All other keys belong to one
 * database or one process.
 */
export const REGISTRATION = 'registration';

/** Secrets, what is bound to a session, and what does not live long. docs/EXPORT.md names each with its reason. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['sessions', 'refresh_tokens', 'spent_tickets', 'push_subscriptions'],
  ...['password_resets', 'invites', 'notify_log', 'registrations'],
  ...['file_usage', 'link_previews', 'preview_tasks'],
]);

/** Of files, those that something has. What is being uploaded, or not sent yet, is deleted within a day. */
const ROWS: Readonly<Record<string, string>> = {
  files: "expires_at IS NULL AND state IN ('ready', 'checking', 'refused')",
};

/** Files that an export of a room may lack: those of earlier versions do. */
export const NEWER_FILES: ReadonlySet<string> = new Set(['files.jsonl']);

/** Columns that an export of a room may lack (`ROOM_SCHEMA_MIN`). */
const NEWER: ReadonlySet<string> = new Set(['rooms.hue']);

export interface Column {
  readonly name: string;
  readonly type: 'integer' | 'text';
  readonly isNullable: boolean;
  /** Exports of rooms from before it have no such field: it is null. */
  readonly isNewer?: true;
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
              ...(NEWER.has(`${name}.${column}`) && { isNewer: true }),
            };
          },
        );
        const where = ROWS[name];
        const columnNames = types.map((type) => type.name);
        return { name, key: ordered, columns: columnNames, types, ...(where !== undefined && { where }) };
      });
  } finally {
    sqlite.close();
  }
}

/** The fields in the export of one room: nothing that is a person's own, and of people only what the room shows. */
const ROOM_FIELDS: Readonly<Record<string, readonly string[] | 'all'>> = {
  users: ['id', 'username', 'display_name', 'kind'],
  rooms: 'all',
  members: ['user_id', 'room_id', 'role', 'joined_at', 'left_at', 'silenced_until', 'banned_until'],
  message_revisions: 'all',
  reactions: 'all',
  messages: 'all',
  files: [
    ...[
      'id',
      'key',
      'purpose',
      'owner_id',
      'room_id',
      'message_id',
      'of_key',
      'name',
      'type',
      'size',
      'sha256',
    ],
    ...['info', 'state', 'created_at'],
  ],
};

/** The tables of an export of one room. `mentioned`: people whom only its texts and notices name, in JSON. */
export function roomTables(roomId: number, mentioned: readonly number[] = []): ExportTable[] {
  const ofRoom = `room_id = ${roomId}`;
  const people = ['members', 'messages', 'reactions'].map(
    (name) => `SELECT user_id FROM ${name} WHERE ${ofRoom}`,
  );
  const where: Readonly<Record<string, string>> = {
    users: `(id IN (${people.join(' UNION ')} UNION SELECT owner_id FROM rooms WHERE id = ${roomId}
      UNION SELECT deleted_by FROM messages WHERE ${ofRoom} AND deleted_by IS NOT NULL)
      OR id IN (${[0, ...mentioned].join(', ')}))`,
    rooms: `id = ${roomId}`,
    files: `${ofRoom} AND message_id IS NOT NULL AND ${ROWS.files}`,
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
