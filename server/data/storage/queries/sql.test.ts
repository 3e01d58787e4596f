import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { list, render, type Sql, sql } from './sql.ts';

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

  it('has the same texts each time for the same parts, and others for others', () => {
    const statement = (first: number | Sql, second: number | Sql) => sql`SELECT ${first} AND ${second}`;
    const part = (value: number) => sql`id > ${value}`;
    const made = [
      statement(1, part(2)),
      statement(part(1), 2),
      statement(1, 2),
      statement(1, sql`id < ${2}`),
    ];
    expect(made.map(question)).toEqual([
      'SELECT ? AND id > ?',
      'SELECT id > ? AND ?',
      'SELECT ? AND ?',
      'SELECT ? AND id < ?',
    ]);
    expect(statement(3, part(4)).texts).toBe(made[0]?.texts);
    expect(statement(3, part(4)).values).toEqual([3, 4]);
    expect(new Set(made.map(({ texts }) => texts)).size).toBe(4);
    expect(sql`IN (${list([1, 2, 3])})`.texts).toEqual(sql`IN (${list([4, 5, 6, 7])})`.texts);
    expect(list([1, 2, 3]).texts).toBe(list([4, 5, 6, 7]).texts);
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
