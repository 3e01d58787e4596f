import { describe, expect, it } from 'vitest';
import { type Catalog, planTables, SMALL_TABLES } from './tables.ts';

/** A catalog in which every table has its key and one more column. */
function catalog(changes: Record<string, readonly string[]> = {}): Catalog {
  const tables = SMALL_TABLES.map(({ name, key }) => [name, [...key, 'more']] as const);
  return new Map([...tables, ['messages', ['id', 'room_id', 'seq']], ...Object.entries(changes)]);
}

describe('what a migration adds is never left out silently', () => {
  it('a column of both databases is copied', () => {
    const changed = catalog({ rooms: ['id', 'added'] });
    const rooms = planTables(changed, changed).find(({ name }) => name === 'rooms');
    expect(rooms?.columns).toEqual(['id', 'added']);
  });

  it.each([
    ['a table of the source', catalog({ polls: ['id'] }), catalog(), 'these tables: polls'],
    ['a table of the target', catalog(), catalog({ polls: ['id'] }), 'these tables: polls'],
    ['a column of the source', catalog({ rooms: ['id', 'more', 'new'] }), catalog(), 'columns of rooms: new'],
    ['a column of the target', catalog(), catalog({ rooms: ['id', 'more', 'new'] }), 'columns of rooms: new'],
    ['a table that is missing', catalog({ rooms: [] }), catalog({ rooms: [] }), 'columns of rooms: '],
  ])('%s that the copy does not know stops it', (_, source, target, message) => {
    expect(() => planTables(source, target)).toThrow(message);
  });

  it('columns that no code reads any more are left behind', () => {
    const source = catalog({ users: ['id', 'more', 'username_skeleton', 'display_key'] });
    expect(planTables(source, catalog()).find(({ name }) => name === 'users')?.columns).toEqual([
      'id',
      'more',
    ]);
  });
});
