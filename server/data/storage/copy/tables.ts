/** What is copied: every table, and every column that the target has. */

export interface Table {
  readonly name: string;
  /** Unique columns, none of them NULL, which sort the rows the same way in both databases. */
  readonly key: readonly string[];
}

export interface TableWithColumns extends Table {
  readonly columns: readonly string[];
  /** A condition in SQL: only these rows. */
  readonly where?: string;
}

export const MESSAGES: Table = { name: 'messages', key: ['room_id', 'seq'] };

/** All others. */
export const SMALL_TABLES: readonly Table[] = [
  { name: 'users', key: ['id'] },
  { name: 'user_looks', key: ['look', 'id'] },
  { name: 'user_words', key: ['user_id', 'word'] },
  { name: 'sessions', key: ['id'] },
  { name: 'refresh_tokens', key: ['hash'] },
  { name: 'spent_tickets', key: ['jti'] },
  { name: 'rooms', key: ['id'] },
  { name: 'room_looks', key: ['look', 'id'] },
  { name: 'members', key: ['user_id', 'room_id'] },
  { name: 'user_logs', key: ['user_id'] },
  { name: 'blocks', key: ['user_id', 'blocked_id'] },
  { name: 'invites', key: ['id'] },
  { name: 'message_revisions', key: ['room_id', 'message_id', 'revision'] },
  { name: 'reactions', key: ['room_id', 'message_id', 'emoji', 'user_id'] },
  { name: 'saved', key: ['user_id', 'room_id', 'message_id'] },
  { name: 'thread_members', key: ['user_id', 'room_id', 'thread_id'] },
  { name: 'followers', key: ['name', 'room_id'] },
  { name: 'inbox', key: ['id'] },
  { name: 'notify_log', key: ['user_id', 'message_id'] },
  { name: 'push_subscriptions', key: ['id'] },
  { name: 'audit_log', key: ['id'] },
  { name: 'reports', key: ['id'] },
  { name: 'password_resets', key: ['code_hash'] },
  { name: 'registrations', key: ['user_id'] },
  { name: 'files', key: ['id'] },
  { name: 'file_usage', key: ['user_id'] },
  { name: 'emoji', key: ['name'] },
  { name: 'link_previews', key: ['url_hash'] },
  { name: 'preview_tasks', key: ['message_id'] },
];

/** Tables with a key column each that counts up, and whose ids are never given twice. */
export const NUMBERED = [
  'users',
  'sessions',
  'rooms',
  'messages',
  'invites',
  'inbox',
  'push_subscriptions',
  'audit_log',
  'reports',
  'files',
];

/**
 * `meta` is copied by its own rules; the receipts in `writers` belong to the processes of PostgreSQL, and a lease to
 * the process that held it. PostgreSQL builds its index of texts anew.
 */
const NOT_COMPARED = ['meta', 'writers', 'follower_leases', 'search_texts', 'search_state'];

/** Columns that no code reads any more (migrations 3 and 5). PostgreSQL never had them. */
const LEFT_BEHIND = new Set(['users.username_skeleton', 'users.display_key']);

/** Values that have another form in SQLite: a NULL there means `seq` (migration 4). */
const SOURCE_FORMS: Readonly<Record<string, string>> = { 'messages.number': 'coalesce(number, seq)' };

/** The columns of each table. */
export type Catalog = ReadonlyMap<string, readonly string[]>;

/**
 * The tables with the columns to copy. Throws when one of the databases has a table or a column that the other one
 * lacks: a migration added it, and this file does not say what becomes of it.
 */
export function planTables(source: Catalog, target: Catalog): TableWithColumns[] {
  const tables = [...SMALL_TABLES, MESSAGES];
  const known = new Set([...tables.map(({ name }) => name), ...NOT_COMPARED]);
  const unknown = [...source.keys(), ...target.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`the copy does not know these tables: ${unknown}`);
  return tables.map((table) => {
    const columns = target.get(table.name) ?? [];
    const inSource = (source.get(table.name) ?? []).filter((column) => !isLeftBehind(table, column));
    const unmatched = [
      ...columns.filter((column) => !inSource.includes(column)),
      ...inSource.filter((column) => !columns.includes(column)),
    ];
    if (unmatched.length > 0 || columns.length === 0)
      throw new Error(`the copy does not know these columns of ${table.name}: ${unmatched}`);
    return { ...table, columns };
  });
}

/** The same tables without the columns that no code reads any more. */
export function withoutLeftBehind(catalog: Catalog): Catalog {
  return new Map(
    [...catalog].map(([name, columns]) => [
      name,
      columns.filter((column) => !LEFT_BEHIND.has(`${name}.${column}`)),
    ]),
  );
}

/** The list of columns for a SELECT in the source. */
export function sourceColumns({ name, columns }: TableWithColumns): string {
  return columns
    .map((column) => {
      const form = SOURCE_FORMS[`${name}.${column}`];
      return form === undefined ? column : `${form} AS ${column}`;
    })
    .join(', ');
}

function isLeftBehind(table: Table, column: string): boolean {
  return LEFT_BEHIND.has(`${table.name}.${column}`);
}
