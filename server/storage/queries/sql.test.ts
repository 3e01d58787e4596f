import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { render, type Sql, sql } from './sql.ts';

const question = (statement: Sql) => render(statement, () => '?');
const numbered = (statement: Sql) => render(statement, (position) => `$${position}`);

describe('sql', () => {
  it('makes a parameter of every value, including hostile ones', () => {
    const name = `'; DROP TABLE users; --`;
    const statement = sql`SELECT id FROM users WHERE name = ${name} AND id > ${7} AND cid IS ${null}`;
    expect(question(statement)).toBe('SELECT id FROM users WHERE name = ? AND id > ? AND cid IS ?');
    expect(numbered(statement)).toBe('SELECT id FROM users WHERE name = $1 AND id > $2 AND cid IS $3');
    expect(statement.values).toEqual([name, 7, null]);
  });

  it('splices parts that are SQL, in their place and with their values', () => {
    const older = sql`AND id < ${10}`;
    const statement = sql`SELECT id FROM rooms WHERE seq > ${1} ${older} ${sql``} LIMIT ${50}`;
    expect(numbered(statement)).toBe('SELECT id FROM rooms WHERE seq > $1 AND id < $2  LIMIT $3');
    expect(statement.values).toEqual([1, 10, 50]);
  });

  it('has one text more than values, at any depth of nesting', () => {
    const { statement } = fc.letrec<{ statement: Sql }>((tie) => ({
      statement: fc
        .array(fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.constant(null), tie('statement')))
        .map((parts) => {
          const strings = ['a', ...parts.map(() => 'b')];
          return sql(Object.assign(strings, { raw: strings }), ...(parts as (string | Sql)[]));
        }),
    }));
    fc.assert(
      fc.property(statement, ({ texts, values }) => {
        expect(texts).toHaveLength(values.length + 1);
      }),
    );
  });
});
