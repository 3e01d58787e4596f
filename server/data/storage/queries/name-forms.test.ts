import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openForReading } from '../sqlite/database.ts';
import type { Sqlite } from '../sqlite/driver/driver.ts';
import { openTemporaryStore, type TemporaryStore } from '../sqlite/temporary-store.ts';
import { NAME_FORM, oldForms } from './name-forms.ts';
import { render, sql } from './sql.ts';

describe.each(['users', 'rooms'] as const)('names of %s whose forms are of older rules', (table) => {
  let temporary: TemporaryStore;
  let sqlite: Sqlite;
  beforeEach(async () => {
    temporary = await openTemporaryStore();
    sqlite = openForReading(`${temporary.dataDir}/roomful.db`);
  });
  afterEach(async () => {
    sqlite.close();
    await temporary.dispose();
  });

  it('are those below the present number, which the statement and its index name literally', () => {
    expect(render(sql`SELECT id ${oldForms(table, 1)}`, () => '?')).toContain(`name_form < ${NAME_FORM} `);
    const index = sqlite.prepare<[string], { sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?');
    expect(index.get(`${table}_name_form`)?.sql).toMatch(new RegExp(`name_form < ${NAME_FORM}$`));
  });
});
