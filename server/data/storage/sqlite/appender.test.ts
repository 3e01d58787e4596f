import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Appender } from './appender.ts';
import { makeDurable, openForWriting } from './database.ts';
import { migrate } from './migrate.ts';

it('a command between two appends of a batch may advance the room; the next append follows on from it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-appender-'));
  const sqlite = openForWriting(join(folder, 'roomful.db'));
  makeDurable(sqlite);
  migrate(sqlite);
  sqlite.exec(`
    INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'ann', 'ann', '', 0);
    INSERT INTO rooms (id, name, name_key, owner_id, created_at) VALUES (1, 'room', 'room', 1, 0);`);
  const appender = new Appender(sqlite);
  const say = (content: string) => appender.append({ roomId: 1, userId: 1, cid: null, content, now: 0 });

  sqlite.exec('BEGIN');
  appender.begin();
  expect(say('one')).toMatchObject({ outcome: 'stored', seq: 1 });
  appender.flush();
  sqlite.exec('UPDATE rooms SET seq = seq + 1');
  expect(say('two')).toMatchObject({ outcome: 'stored', seq: 3 });
  appender.flush();
  sqlite.exec('COMMIT');

  expect(sqlite.prepare('SELECT seq FROM rooms').all()).toMatchObject([{ seq: 3 }]);
  sqlite.close();
  await rm(folder, { recursive: true });
});
