import type { Migration } from './migration.ts';

/**
 * Membership, private rooms, direct conversations, read marks and profiles, and the columns of a message that can
 * change. No large table is rewritten: columns are added at their defaults, and new indexes of `messages` are partial
 * and empty, so that a plain message pays for none of them.
 *
 * - A log is a number that grows by one with every durable change in its scope: `rooms.seq`, and `user_logs.seq` for
 *   what is a user's own. Each row keeps the number of its latest change: `changed_seq` and `user_seq`.
 * - `rooms.number` counts the texts of the main flow, and `messages.number` is a text's place among them. Rows from
 *   before have NULL, which means `seq`: all of them were texts.
 * - `messages.kind`: 0 is a text, 1 a notice. `extra`: JSON that is never queried.
 * - Public rooms have unique names; the others have a `name_key` that no name has. `search_key` is the name's key for
 *   every room.
 */
export const conversation: Migration = {
  version: 4,
  sqlite: `
    ALTER TABLE users ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE users ADD COLUMN kind TEXT NOT NULL DEFAULT 'person';
    ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'member';
    ALTER TABLE users ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
    ALTER TABLE users ADD COLUMN display_key TEXT NOT NULL DEFAULT '';
    ALTER TABLE users ADD COLUMN status TEXT;
    ALTER TABLE users ADD COLUMN avatar_file_id INTEGER;
    ALTER TABLE users ADD COLUMN time_zone TEXT;
    ALTER TABLE users ADD COLUMN locale TEXT;
    ALTER TABLE users ADD COLUMN email TEXT;
    ALTER TABLE users ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE users ADD COLUMN suspended_at INTEGER;
    CREATE INDEX users_search ON users (username_key, display_key);

    ALTER TABLE rooms ADD COLUMN kind TEXT NOT NULL DEFAULT 'public';
    ALTER TABLE rooms ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE rooms ADD COLUMN members INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE rooms ADD COLUMN last_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE rooms ADD COLUMN state_seq INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE rooms ADD COLUMN topic TEXT NOT NULL DEFAULT '';
    ALTER TABLE rooms ADD COLUMN description TEXT NOT NULL DEFAULT '';
    ALTER TABLE rooms ADD COLUMN emoji TEXT;
    ALTER TABLE rooms ADD COLUMN is_default INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE rooms ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE rooms ADD COLUMN archived_at INTEGER;
    ALTER TABLE rooms ADD COLUMN deleted_at INTEGER;
    ALTER TABLE rooms ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
    UPDATE rooms SET number = seq, search_key = name_key,
      last_at = coalesce((SELECT created_at FROM messages WHERE room_id = rooms.id ORDER BY seq DESC LIMIT 1), 0);
    UPDATE rooms SET is_default = 1 WHERE id = (SELECT min(id) FROM rooms);
    CREATE INDEX rooms_public ON rooms (id) WHERE kind = 'public';
    CREATE INDEX rooms_default ON rooms (id) WHERE is_default = 1;
    CREATE INDEX rooms_owner ON rooms (owner_id, created_at);

    ALTER TABLE messages ADD COLUMN number INTEGER;
    ALTER TABLE messages ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE messages ADD COLUMN thread_id INTEGER;
    ALTER TABLE messages ADD COLUMN thread_last_seq INTEGER;
    ALTER TABLE messages ADD COLUMN reply_to INTEGER;
    ALTER TABLE messages ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE messages ADD COLUMN edited_at INTEGER;
    ALTER TABLE messages ADD COLUMN deleted_at INTEGER;
    ALTER TABLE messages ADD COLUMN deleted_by INTEGER;
    ALTER TABLE messages ADD COLUMN pinned_at INTEGER;
    ALTER TABLE messages ADD COLUMN extra TEXT;
    CREATE INDEX messages_thread ON messages (room_id, thread_id, seq) WHERE thread_id IS NOT NULL;
    CREATE INDEX messages_reply ON messages (room_id, reply_to) WHERE reply_to IS NOT NULL;
    CREATE INDEX messages_threads ON messages (room_id, thread_last_seq) WHERE thread_last_seq IS NOT NULL;
    CREATE INDEX messages_pinned ON messages (room_id, pinned_at) WHERE pinned_at IS NOT NULL;

    CREATE TABLE members (
      room_id INTEGER NOT NULL REFERENCES rooms (id),
      user_id INTEGER NOT NULL REFERENCES users (id),
      role TEXT NOT NULL DEFAULT 'member',
      joined_at INTEGER NOT NULL,
      left_at INTEGER,
      invited_by INTEGER,
      notify TEXT,
      notify_muted_until INTEGER,
      starred INTEGER NOT NULL DEFAULT 0,
      hidden INTEGER NOT NULL DEFAULT 0,
      read_seq INTEGER NOT NULL DEFAULT 0,
      read_number INTEGER NOT NULL DEFAULT 0,
      read_set INTEGER NOT NULL DEFAULT 0,
      silenced_until INTEGER,
      banned_until INTEGER,
      user_seq INTEGER NOT NULL,
      PRIMARY KEY (user_id, room_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX members_room ON members (room_id, user_id) WHERE left_at IS NULL;
    CREATE INDEX members_log ON members (user_id, user_seq);

    CREATE TABLE user_logs (
      user_id INTEGER PRIMARY KEY REFERENCES users (id),
      seq INTEGER NOT NULL,
      floor INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- The owner of a room and everybody who has ever posted there are members, and have read everything.
    INSERT INTO members (room_id, user_id, role, joined_at, read_seq, read_number, user_seq)
      SELECT room.id, known.user_id, CASE WHEN room.owner_id = known.user_id THEN 'owner' ELSE 'member' END,
        room.created_at, room.seq, room.number,
        row_number() OVER (PARTITION BY known.user_id ORDER BY room.id)
      FROM (SELECT user_id, room_id FROM messages UNION SELECT owner_id, id FROM rooms) AS known
        JOIN rooms AS room ON room.id = known.room_id;
    INSERT INTO user_logs (user_id, seq) SELECT user_id, max(user_seq) FROM members GROUP BY user_id;
    UPDATE rooms SET members = (SELECT count(*) FROM members WHERE room_id = rooms.id);

    CREATE TABLE blocks (
      user_id INTEGER NOT NULL REFERENCES users (id),
      blocked_id INTEGER NOT NULL REFERENCES users (id),
      user_seq INTEGER NOT NULL,
      removed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (user_id, blocked_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE invites (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      code_hash TEXT NOT NULL UNIQUE,
      room_id INTEGER REFERENCES rooms (id),
      created_by INTEGER NOT NULL REFERENCES users (id),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      max_uses INTEGER,
      uses INTEGER NOT NULL DEFAULT 0,
      revoked_at INTEGER
    ) STRICT;
    CREATE INDEX invites_room ON invites (room_id, expires_at);
  `,
};
