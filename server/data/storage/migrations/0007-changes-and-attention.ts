import type { SharedMigration } from './migration.ts';

/**
 * Changes of messages, and what calls for somebody's attention. A plain message has no row in any of these tables.
 *
 * - `message_revisions`: the texts that edits replaced. `reactions`: one row for each person, message and emoji; their
 *   summary is in `messages.extra`, so that no page of history reads them.
 * - `saved`, `thread_members` and `inbox` are a user's own: `user_seq` is the number of the latest change in the user's
 *   log. What was removed is kept for a while with `removed_at`, so that other devices of the user hear of it.
 * - `followers`: how far each consumer of the rooms' logs has come, in a room: new texts up to `seq`, changes up to
 *   `changed_seq`. `follower_leases`: the process that runs it.
 * - `notify_log`: what became of each notification that was due; with `due_at`, it still waits to be pushed.
 * - `inbox.thread_id`: the message is a reply in this thread, and is read with it.
 * - `thread_members.following`: 0: no; 1: by what the user has done there; 2: because the user asked to. NULL: only how
 *   far the user has read.
 * - `messages_flow`: the main flow of a room, without the replies that may be many between two of its messages.
 * - `members.threads`: which threads of the room the member follows, 'all', or 'none' but those that the member asked
 *   to follow; NULL: those that have to do with the member.
 */
export const changesAndAttention: SharedMigration = {
  version: 7,
  runsFrom: 6,
  sqlite: `
    CREATE TABLE message_revisions (
      room_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      content TEXT NOT NULL,
      edited_at INTEGER NOT NULL,
      PRIMARY KEY (room_id, message_id, revision)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE reactions (
      room_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      emoji TEXT NOT NULL,
      user_id INTEGER NOT NULL REFERENCES users (id),
      created_at INTEGER NOT NULL,
      PRIMARY KEY (room_id, message_id, emoji, user_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE saved (
      user_id INTEGER NOT NULL REFERENCES users (id),
      room_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      note TEXT NOT NULL DEFAULT '',
      saved_at INTEGER NOT NULL,
      removed_at INTEGER,
      user_seq INTEGER NOT NULL,
      PRIMARY KEY (user_id, room_id, message_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX saved_log ON saved (user_id, user_seq);
    CREATE INDEX saved_removed ON saved (removed_at) WHERE removed_at IS NOT NULL;

    CREATE TABLE thread_members (
      user_id INTEGER NOT NULL REFERENCES users (id),
      room_id INTEGER NOT NULL,
      thread_id INTEGER NOT NULL,
      following INTEGER,
      read_seq INTEGER NOT NULL DEFAULT 0,
      user_seq INTEGER NOT NULL,
      PRIMARY KEY (user_id, room_id, thread_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX thread_members_log ON thread_members (user_id, user_seq);
    CREATE INDEX thread_members_thread ON thread_members (room_id, thread_id, user_id) WHERE following > 0;

    CREATE TABLE followers (
      name TEXT NOT NULL,
      room_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      changed_seq INTEGER NOT NULL,
      PRIMARY KEY (name, room_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE follower_leases (
      name TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      held_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE inbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id),
      room_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      thread_id INTEGER,
      seq INTEGER NOT NULL,
      reason TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      removed_at INTEGER,
      user_seq INTEGER NOT NULL,
      UNIQUE (user_id, message_id)
    ) STRICT;
    CREATE INDEX inbox_room ON inbox (user_id, room_id, seq);
    CREATE INDEX inbox_threads ON inbox (user_id, message_id) WHERE thread_id IS NOT NULL;
    CREATE INDEX inbox_log ON inbox (user_id, user_seq);
    CREATE INDEX inbox_removed ON inbox (removed_at) WHERE removed_at IS NOT NULL;
    CREATE INDEX inbox_message ON inbox (room_id, message_id);

    CREATE TABLE notify_log (
      user_id INTEGER NOT NULL REFERENCES users (id),
      message_id INTEGER NOT NULL,
      room_id INTEGER NOT NULL,
      reason TEXT NOT NULL,
      decision TEXT NOT NULL,
      detail TEXT,
      created_at INTEGER NOT NULL,
      due_at INTEGER,
      PRIMARY KEY (user_id, message_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notify_log_due ON notify_log (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX notify_log_age ON notify_log (created_at);

    CREATE TABLE push_subscriptions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id),
      session_id INTEGER NOT NULL,
      endpoint TEXT NOT NULL UNIQUE,
      p256dh TEXT NOT NULL,
      auth TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      failures INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);
    CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);

    CREATE INDEX messages_flow ON messages (room_id, id) WHERE thread_id IS NULL;
    ALTER TABLE members ADD COLUMN threads TEXT;
  `,
  postgres: `
    CREATE TABLE message_revisions (
      room_id BIGINT NOT NULL,
      message_id BIGINT NOT NULL,
      revision INTEGER NOT NULL,
      content TEXT NOT NULL,
      edited_at BIGINT NOT NULL,
      PRIMARY KEY (room_id, message_id, revision)
    );

    CREATE TABLE reactions (
      room_id BIGINT NOT NULL,
      message_id BIGINT NOT NULL,
      emoji TEXT COLLATE "C" NOT NULL,
      user_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (room_id, message_id, emoji, user_id)
    );

    CREATE TABLE saved (
      user_id BIGINT NOT NULL REFERENCES users (id),
      room_id BIGINT NOT NULL,
      message_id BIGINT NOT NULL,
      note TEXT NOT NULL DEFAULT '',
      saved_at BIGINT NOT NULL,
      removed_at BIGINT,
      user_seq BIGINT NOT NULL,
      PRIMARY KEY (user_id, room_id, message_id)
    );
    CREATE INDEX saved_log ON saved (user_id, user_seq);
    CREATE INDEX saved_removed ON saved (removed_at) WHERE removed_at IS NOT NULL;

    CREATE TABLE thread_members (
      user_id BIGINT NOT NULL REFERENCES users (id),
      room_id BIGINT NOT NULL,
      thread_id BIGINT NOT NULL,
      following BIGINT,
      read_seq BIGINT NOT NULL DEFAULT 0,
      user_seq BIGINT NOT NULL,
      PRIMARY KEY (user_id, room_id, thread_id)
    );
    CREATE INDEX thread_members_log ON thread_members (user_id, user_seq);
    CREATE INDEX thread_members_thread ON thread_members (room_id, thread_id, user_id) WHERE following > 0;

    CREATE TABLE followers (
      name TEXT COLLATE "C" NOT NULL,
      room_id BIGINT NOT NULL,
      seq BIGINT NOT NULL,
      changed_seq BIGINT NOT NULL,
      PRIMARY KEY (name, room_id)
    ) WITH (fillfactor = 50);
    CREATE TABLE follower_leases (
      name TEXT COLLATE "C" PRIMARY KEY,
      holder TEXT NOT NULL,
      held_until BIGINT NOT NULL
    ) WITH (fillfactor = 50);

    CREATE TABLE inbox (
      id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      user_id BIGINT NOT NULL REFERENCES users (id),
      room_id BIGINT NOT NULL,
      message_id BIGINT NOT NULL,
      thread_id BIGINT,
      seq BIGINT NOT NULL,
      reason TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      removed_at BIGINT,
      user_seq BIGINT NOT NULL,
      UNIQUE (user_id, message_id)
    );
    CREATE INDEX inbox_room ON inbox (user_id, room_id, seq);
    CREATE INDEX inbox_threads ON inbox (user_id, message_id) WHERE thread_id IS NOT NULL;
    CREATE INDEX inbox_log ON inbox (user_id, user_seq);
    CREATE INDEX inbox_removed ON inbox (removed_at) WHERE removed_at IS NOT NULL;
    CREATE INDEX inbox_message ON inbox (room_id, message_id);

    CREATE TABLE notify_log (
      user_id BIGINT NOT NULL REFERENCES users (id),
      message_id BIGINT NOT NULL,
      room_id BIGINT NOT NULL,
      reason TEXT NOT NULL,
      decision TEXT NOT NULL,
      detail TEXT,
      created_at BIGINT NOT NULL,
      due_at BIGINT,
      PRIMARY KEY (user_id, message_id)
    );
    CREATE INDEX notify_log_due ON notify_log (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX notify_log_age ON notify_log (created_at);

    CREATE TABLE push_subscriptions (
      id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      user_id BIGINT NOT NULL REFERENCES users (id),
      session_id BIGINT NOT NULL,
      endpoint TEXT COLLATE "C" NOT NULL UNIQUE,
      p256dh TEXT NOT NULL,
      auth TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      failures BIGINT NOT NULL DEFAULT 0
    );
    CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);
    CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);

    CREATE INDEX messages_flow ON messages (room_id, id) WHERE thread_id IS NULL;
    ALTER TABLE members ADD COLUMN threads TEXT;

    -- The planner's statistics would keep some texts after their deletion. Setting the type forgets those that are there.
    ALTER TABLE messages
      ALTER COLUMN content TYPE TEXT, ALTER COLUMN content SET STATISTICS 0,
      ALTER COLUMN extra TYPE TEXT, ALTER COLUMN extra SET STATISTICS 0;
    ALTER TABLE message_revisions ALTER COLUMN content SET STATISTICS 0;
  `,
};
