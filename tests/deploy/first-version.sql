-- A data folder that the first version of Roomful wrote: its schema, and three people who talked in two rooms.
-- Only the expiry of sessions was moved, to the year 2100. The refresh token of the first session is
-- "the refresh token of Ann"; everybody's password is "correct horse battery".
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
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
INSERT INTO meta VALUES ('epoch', 'BiijMBVB7qq4');
INSERT INTO meta VALUES ('roster', '{"savedAt":1795452773479,"roster":[]}');
INSERT INTO meta VALUES ('schema_version', '1');
INSERT INTO users VALUES (1, 'Ann', 'ann', '$argon2id$v=19$m=19456,t=2,p=1$nXrH6oCJpt7VP1Dr+mEUaA$m8xSwTl43S4sr6kIBcNnQNwE6hL3ax/EQI73HO0XYuU', 1795452772700);
INSERT INTO users VALUES (2, 'bob', 'bob', '$argon2id$v=19$m=19456,t=2,p=1$zYim34g+d44Uy1pP9E2iyA$J0uhoTMlv5IbqyJGBz0pCJCOpnpiG9HApZ/I4JxYO8w', 1795452772898);
INSERT INTO users VALUES (3, 'Çelik 李', 'çelik 李', '$argon2id$v=19$m=19456,t=2,p=1$9cCZJZZSp0fBWdykiDqcDQ$0TAnM9Pzqpn22Sn4MGCo0IF1skQfAujPfe1IQQV7fsE', 1795452773047);
INSERT INTO sessions VALUES (1, 1, 1795452772812, 1795452772812, 'node', 4102444800000, NULL);
INSERT INTO sessions VALUES (2, 2, 1795452772977, 1795452772977, 'node', 4102444800000, NULL);
INSERT INTO sessions VALUES (3, 3, 1795452773121, 1795452773121, 'node', 4102444800000, NULL);
INSERT INTO refresh_tokens VALUES ('ueqyY6WmsruHrvzbmy1r0BFtvUzlZK8d9nzKFU2Twlc', 1, 4102444800000, NULL, NULL);
INSERT INTO refresh_tokens VALUES ('ZJYhK7vJpaws5axL7d5QypZ2fmPTQxkrTkGLm4KSRFg', 3, 4102444800000, NULL, NULL);
INSERT INTO refresh_tokens VALUES ('mcz1tdz85Dlu-BxV0uYo6O6d7uJwVZ5uv8y-GZBHS1M', 2, 4102444800000, NULL, NULL);
INSERT INTO rooms VALUES (1, 'general', 'general', 1, 7, 1795452773146);
INSERT INTO rooms VALUES (2, 'Entwürfe', 'entwürfe', 2, 13, 1795452773165);
INSERT INTO rooms VALUES (3, 'empty room', 'empty room', 1, 0, 1795452773182);
INSERT INTO messages VALUES (1, 1, 1, 1, 1, NULL, 'hello', 1795452773267);
INSERT INTO messages VALUES (2, 1, 2, 2, 1, NULL, '**bold** and `code`', 1795452773268);
INSERT INTO messages VALUES (3, 1, 3, 3, 1, NULL, 'line one
line two', 1795452773268);
INSERT INTO messages VALUES (4, 1, 4, 4, 1, NULL, 'it''s a "quote"; DROP TABLE users; --', 1795452773268);
INSERT INTO messages VALUES (5, 1, 5, 5, 2, '3-7-cid-0', '👩‍👩‍👧 家族 مرحبا', 1795452773306);
INSERT INTO messages VALUES (6, 1, 6, 6, 2, '3-7-cid-1', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 1795452773307);
INSERT INTO messages VALUES (7, 1, 7, 7, 3, '7-7-cid-0', 'last in general', 1795452773350);
INSERT INTO messages VALUES (8, 2, 1, 1, 2, '3-8-cid-0', 'draft 1', 1795452773385);
INSERT INTO messages VALUES (9, 2, 2, 2, 2, '3-8-cid-1', 'draft 2', 1795452773385);
INSERT INTO messages VALUES (10, 2, 3, 3, 2, '3-8-cid-2', 'draft 3', 1795452773385);
INSERT INTO messages VALUES (11, 2, 4, 4, 2, '3-8-cid-3', 'draft 4', 1795452773385);
INSERT INTO messages VALUES (12, 2, 5, 5, 2, '3-8-cid-4', 'draft 5', 1795452773385);
INSERT INTO messages VALUES (13, 2, 6, 6, 2, '3-8-cid-5', 'draft 6', 1795452773385);
INSERT INTO messages VALUES (14, 2, 7, 7, 2, '3-8-cid-6', 'draft 7', 1795452773385);
INSERT INTO messages VALUES (15, 2, 8, 8, 2, '3-8-cid-7', 'draft 8', 1795452773385);
INSERT INTO messages VALUES (16, 2, 9, 9, 2, '3-8-cid-8', 'draft 9', 1795452773385);
INSERT INTO messages VALUES (17, 2, 10, 10, 2, '3-8-cid-9', 'draft 10', 1795452773386);
INSERT INTO messages VALUES (18, 2, 11, 11, 2, '3-8-cid-10', 'draft 11', 1795452773386);
INSERT INTO messages VALUES (19, 2, 12, 12, 2, '3-8-cid-11', 'draft 12', 1795452773386);
INSERT INTO messages VALUES (20, 2, 13, 13, 1, NULL, 'seen by Ann', 1795452773405);
INSERT INTO spent_tickets VALUES ('-iHyFTdYUUsTsOqVgFBPBA', 1795452833000);
