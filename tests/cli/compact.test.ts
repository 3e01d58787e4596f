/** `roomful compact`; that the file becomes shorter is in scheduled.test.ts. */
import { mkdirSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDurable, openForWriting } from '../../server/data/storage/sqlite/database.ts';
import { migrate } from '../../server/data/storage/sqlite/migrate.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';

/** SQLite's temporary files; the copy of a small database stays in memory. */
const TEMPORARY = /^etilqs_/;
const MIB = 64;

it('the copy is written on the disk of the data folder, and not in the folder for temporary files', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'roomful-compact-'));
  const [data, small] = [join(dir, 'data'), join(dir, 'small')];
  for (const folder of [data, small]) mkdirSync(folder);
  const seen: string[] = [];
  const watchers = [data, small].map((folder) =>
    watch(folder, (_, name) => {
      if (name !== null && TEMPORARY.test(name)) seen.push(folder);
    }),
  );
  try {
    const sqlite = openForWriting(join(data, 'roomful.db'));
    makeDurable(sqlite);
    migrate(sqlite);
    sqlite.exec(`CREATE TABLE filler (bytes BLOB);
      WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${MIB})
      INSERT INTO filler SELECT zeroblob(1048576) FROM rows`);
    sqlite.close();
    const done = await runCommand({ dataDir: dir }, ['compact'], { env: { TMPDIR: small } });
    expect([done.code, done.stderr]).toEqual([0, '']);
    await eventually('the temporary file', () => (seen.length > 0 ? true : undefined));
    expect(new Set(seen)).toEqual(new Set([data]));
  } finally {
    for (const watcher of watchers) watcher.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
