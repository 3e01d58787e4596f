/** Checks of a database: what must hold for all data, whatever happened to it. They read and change nothing. */

/** Runs one statement and returns its rows. */
export type Query = (text: string) => Promise<Record<string, unknown>[]>;

export interface Finding {
  rule: string;
  /** How many rows break it. */
  count: number;
  /** The first of them. */
  examples: Record<string, unknown>[];
}

export interface Report {
  counts: Record<string, number>;
  findings: Finding[];
}

const EXAMPLES = 5;
const COUNTED = ['users', 'rooms', 'messages', 'members', 'reactions', 'sessions', 'audit_log'] as const;

interface Rule {
  rule: string;
  /** Selects the rows that break the rule. */
  broken: string;
}

/** Each row of `table` has a row in `other`. */
function dangling(table: string, column: string, other: string): Rule {
  return {
    rule: `each row of ${table} has its row of ${other}`,
    broken: `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${other} WHERE ${other}.id = ${table}.${column})`,
  };
}

/** Each row of `table` is about a message that is there. */
function ofMessage(table: string): Rule {
  return {
    rule: `each row of ${table} has its message`,
    broken: `SELECT room_id, message_id FROM ${table} AS part WHERE NOT EXISTS (
      SELECT 1 FROM messages WHERE messages.room_id = part.room_id AND messages.id = part.message_id)`,
  };
}

const TEXTS = 'kind = 0 AND thread_id IS NULL';

/** What is a person's alone, with the columns that name the person and the condition on rows that still count. */
const OWN: readonly (readonly [table: string, column: string, condition?: string])[] = [
  ['sessions', 'user_id', 'revoked_at IS NULL'],
  ['invites', 'created_by', 'revoked_at IS NULL'],
  ['password_resets', 'user_id'],
  ['password_resets', 'created_by'],
  ['user_looks', 'id'],
  ...(
    ['user_words', 'push_subscriptions', 'saved', 'thread_members', 'inbox', 'notify_log', 'blocks'] as const
  ).map((table) => [table, 'user_id'] as const),
];
const REMOVED = "(SELECT id FROM users WHERE kind = 'removed')";

const RULES: readonly Rule[] = [
  dangling('messages', 'room_id', 'rooms'),
  dangling('messages', 'user_id', 'users'),
  dangling('members', 'room_id', 'rooms'),
  dangling('members', 'user_id', 'users'),
  dangling('sessions', 'user_id', 'users'),
  dangling('refresh_tokens', 'session_id', 'sessions'),
  dangling('invites', 'room_id', 'rooms'),
  dangling('files', 'owner_id', 'users'),
  ...['reactions', 'message_revisions', 'saved', 'inbox', 'reports'].map(ofMessage),
  {
    rule: 'no message has a number above that of its room',
    broken: `SELECT rooms.id AS room_id, rooms.seq, max(messages.changed_seq) AS found
      FROM messages JOIN rooms ON rooms.id = messages.room_id
      GROUP BY rooms.id, rooms.seq HAVING max(messages.changed_seq) > rooms.seq`,
  },
  {
    rule: 'the texts of each room are numbered without a gap',
    broken: `SELECT rooms.id AS room_id, rooms.number AS expected, found.texts AS found FROM rooms
      LEFT JOIN (SELECT room_id, count(*) AS texts, count(DISTINCT coalesce(number, seq)) AS numbers,
        max(coalesce(number, seq)) AS last FROM messages WHERE ${TEXTS} GROUP BY room_id) AS found
        ON found.room_id = rooms.id
      WHERE rooms.deleted_at IS NULL AND (coalesce(found.texts, 0) <> rooms.number
        OR coalesce(found.numbers, 0) <> rooms.number OR coalesce(found.last, 0) <> rooms.number)`,
  },
  {
    rule: 'each room counts its members',
    broken: `SELECT rooms.id AS room_id, rooms.members AS expected, coalesce(found.people, 0) AS found FROM rooms
      LEFT JOIN (SELECT room_id, count(*) AS people FROM members WHERE left_at IS NULL GROUP BY room_id) AS found
        ON found.room_id = rooms.id
      WHERE coalesce(found.people, 0) <> rooms.members`,
  },
  {
    rule: "no row of a user's own has a number above that of the user's log",
    broken: `SELECT own.user_id, max(own.user_seq) AS found FROM (
        SELECT user_id, user_seq FROM members UNION ALL SELECT user_id, user_seq FROM saved
        UNION ALL SELECT user_id, user_seq FROM inbox UNION ALL SELECT user_id, user_seq FROM thread_members
      ) AS own LEFT JOIN user_logs ON user_logs.user_id = own.user_id
      GROUP BY own.user_id, user_logs.seq HAVING max(own.user_seq) > coalesce(user_logs.seq, 0)`,
  },
  {
    rule: 'a removed account has no name, no password and no profile',
    broken: `SELECT id, username, display_name, status, role FROM users WHERE kind = 'removed' AND (
      username <> 'Removed user ' || id OR password_hash <> '' OR display_name <> '' OR status IS NOT NULL
      OR avatar_key IS NOT NULL OR time_zone IS NOT NULL OR email IS NOT NULL OR role <> 'member'
      OR suspended_at IS NULL
      OR settings NOT IN ('{}', '{"texts":"delete"}'))`,
  },
  {
    rule: 'a removed account is in no room, and owns none',
    broken: `SELECT members.user_id, members.room_id, members.role FROM members JOIN rooms ON rooms.id = members.room_id
      WHERE members.user_id IN ${REMOVED} AND members.left_at IS NULL AND rooms.kind IN ('public', 'private')`,
  },
  {
    rule: 'nothing is kept that was a removed account’s alone',
    broken: OWN.map(
      ([table, column, condition = 'true']) =>
        `SELECT '${table}' AS kept, ${column} AS user_id FROM ${table} WHERE ${column} IN ${REMOVED} AND ${condition}`,
    ).join(' UNION ALL '),
  },
  {
    rule: 'the usage of files is the sum of the files',
    broken: `SELECT coalesce(used.user_id, found.user_id) AS user_id, used.files, used.bytes, found.files AS found_files,
        found.bytes AS found_bytes
      FROM (SELECT user_id, files, bytes FROM file_usage WHERE files <> 0 OR bytes <> 0) AS used
      FULL JOIN (SELECT owner_id AS user_id, count(*) AS files, sum(size) AS bytes FROM files GROUP BY owner_id
        UNION ALL SELECT 0, count(*), coalesce(sum(size), 0) FROM files HAVING count(*) > 0) AS found
        ON found.user_id = used.user_id
      WHERE coalesce(used.files, 0) <> coalesce(found.files, 0) OR coalesce(used.bytes, 0) <> coalesce(found.bytes, 0)`,
  },
  {
    rule: 'a file that no message has expires',
    broken: `SELECT key, room_id, owner_id FROM files WHERE purpose IN ('message', 'preview', 'link') AND message_id IS NULL
      AND expires_at IS NULL AND state <> 'deleted'`,
  },
  {
    rule: 'an attached file has its message',
    broken: `SELECT key, room_id, message_id FROM files WHERE message_id IS NOT NULL AND state <> 'deleted' AND NOT EXISTS (
      SELECT 1 FROM messages WHERE messages.room_id = files.room_id AND messages.id = files.message_id)`,
  },
  {
    rule: 'a person with a picture has its file',
    broken: `SELECT id, avatar_key FROM users WHERE avatar_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM files
      WHERE files.key = users.avatar_key AND purpose = 'avatar' AND state = 'ready' AND expires_at IS NULL)`,
  },
  {
    rule: 'a picture of a person is the one that the person has',
    broken: `SELECT key, owner_id FROM files WHERE purpose = 'avatar' AND expires_at IS NULL AND state <> 'deleted'
      AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = files.owner_id AND users.avatar_key = files.key)`,
  },
  {
    rule: 'the picture of the server has its file',
    broken: `SELECT value FROM meta WHERE key = 'server_icon' AND NOT EXISTS (SELECT 1 FROM files
      WHERE files.key = meta.value AND purpose = 'icon' AND state = 'ready' AND expires_at IS NULL)`,
  },
  {
    rule: 'a file that is a picture of the server is the one that it has',
    broken: `SELECT key FROM files WHERE purpose = 'icon' AND expires_at IS NULL AND state <> 'deleted'
      AND NOT EXISTS (SELECT 1 FROM meta WHERE meta.key = 'server_icon' AND meta.value = files.key)`,
  },
  {
    rule: 'an emoji has its picture',
    broken: `SELECT name, file_key FROM emoji WHERE NOT EXISTS (SELECT 1 FROM files
      WHERE files.key = emoji.file_key AND purpose = 'emoji' AND state = 'ready' AND expires_at IS NULL)`,
  },
  {
    rule: 'a picture of an emoji has its emoji',
    broken: `SELECT key FROM files WHERE purpose = 'emoji' AND expires_at IS NULL AND state <> 'deleted'
      AND NOT EXISTS (SELECT 1 FROM emoji WHERE emoji.file_key = files.key)`,
  },
  {
    rule: 'each reply has its thread',
    broken: `SELECT reply.room_id, reply.id FROM messages AS reply WHERE reply.thread_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM messages AS root WHERE root.room_id = reply.room_id AND root.id = reply.thread_id)`,
  },
];

/** What a message keeps of its replies and reactions, in JSON, which each database reads in its own words. */
function summaryRules(dialect: 'sqlite' | 'postgres'): Rule[] {
  const isSqlite = dialect === 'sqlite';
  const replies = isSqlite
    ? "json_extract(root.extra, '$.thread.replies')"
    : "(root.extra::jsonb #>> '{thread,replies}')::bigint";
  const reactions = isSqlite
    ? "(SELECT sum(json_extract(value, '$.count')) FROM json_each(message.extra, '$.reactions'))"
    : `(SELECT sum((value ->> 'count')::bigint) FROM jsonb_array_elements(message.extra::jsonb -> 'reactions') AS summary(value))`;
  return [
    {
      rule: 'each thread counts its replies',
      broken: `SELECT root.room_id, root.id, ${replies} AS expected, coalesce(found.replies, 0) AS found
        FROM messages AS root
        LEFT JOIN (SELECT room_id, thread_id, count(*) AS replies FROM messages
          WHERE thread_id IS NOT NULL AND deleted_at IS NULL GROUP BY room_id, thread_id) AS found
          ON found.room_id = root.room_id AND found.thread_id = root.id
        WHERE root.kind = 0 AND root.extra IS NOT NULL AND ${replies} IS NOT NULL
          AND ${replies} <> coalesce(found.replies, 0)`,
    },
    {
      rule: 'each message counts its reactions',
      broken: `SELECT message.room_id, message.id, coalesce(${reactions}, 0) AS expected, found.reactions AS found
        FROM (SELECT room_id, message_id, count(*) AS reactions FROM reactions GROUP BY room_id, message_id) AS found
        JOIN messages AS message ON message.room_id = found.room_id AND message.id = found.message_id
        WHERE coalesce(${reactions}, 0) <> found.reactions`,
    },
  ];
}

/** `onRule` is called before each rule, for progress. */
export async function verify(
  query: Query,
  dialect: 'sqlite' | 'postgres',
  onRule: (done: number, all: number) => void = () => undefined,
): Promise<Report> {
  const findings: Finding[] = [];
  const rules = [...RULES, ...summaryRules(dialect)];
  for (const [index, { rule, broken }] of rules.entries()) {
    onRule(index, rules.length);
    const examples = await query(`SELECT * FROM (${broken}) AS broken LIMIT ${EXAMPLES}`);
    if (examples.length === 0) continue;
    const [row] = await query(`SELECT count(*) AS count FROM (${broken}) AS broken`);
    findings.push({ rule, count: Number(row?.count), examples });
  }
  return { counts: await countRows(query), findings };
}

/** Counts the rows of the main tables, or of those among them that an older database has. */
export async function countRows(
  query: Query,
  tables: ReadonlySet<string> = new Set(COUNTED),
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of COUNTED.filter((name) => tables.has(name))) {
    const [row] = await query(`SELECT count(*) AS count FROM ${table}`);
    counts[table] = Number(row?.count);
  }
  return counts;
}

/** A report for people. */
export function describeReport({ counts, findings }: Report): string {
  const there = Object.entries(counts).map(([name, count]) => `${count} ${name.replace('_', ' ')}`);
  const lines = findings.map(
    ({ rule, count, examples }) =>
      `broken ${count} times: ${rule}\n  ${examples.map((example) => JSON.stringify(example)).join('\n  ')}`,
  );
  const verdict = findings.length === 0 ? 'The database is sound.' : 'The database is damaged.';
  return [...lines, `${verdict} It has ${there.join(', ')}.`].join('\n');
}
