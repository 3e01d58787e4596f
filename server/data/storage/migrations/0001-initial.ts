import type { Migration } from './migration.ts';

/** AUTOINCREMENT, because clients keep ids as cursors and as names of things: an id is never reused. */
export const initial: Migration = {
  version: 1,
  sqlite: `
    CREATE TABLE users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      username TEXT NOT NULL,
      username_key TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE sessions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id),
      created_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL,
      user_agent TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      revoked_at INTEGER
    ) STRICT;
    CREATE INDEX sessions_user ON sessions (user_id);
    CREATE INDEX sessions_expiry ON sessions (expires_at);
    CREATE INDEX sessions_revoked ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

    CREATE TABLE refresh_tokens (
      hash TEXT PRIMARY KEY,
      session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      expires_at INTEGER NOT NULL,
      exchanged_at INTEGER,
      retry_key TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
    CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

    CREATE TABLE rooms (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      owner_id INTEGER NOT NULL REFERENCES users (id),
      seq INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      room_id INTEGER NOT NULL REFERENCES rooms (id),
      seq INTEGER NOT NULL,
      changed_seq INTEGER NOT NULL,
      user_id INTEGER NOT NULL REFERENCES users (id),
      cid TEXT,
      content TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (room_id, seq),
      UNIQUE (room_id, changed_seq),
      UNIQUE (user_id, room_id, cid)
    ) STRICT;
    CREATE INDEX messages_room ON messages (room_id, id);

    CREATE TABLE spent_tickets (
      jti TEXT PRIMARY KEY,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX spent_tickets_expiry ON spent_tickets (expires_at);
  `,
};
