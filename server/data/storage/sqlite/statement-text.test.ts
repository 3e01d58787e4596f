import { expect, it } from 'vitest';
import { sql } from '../queries/sql.ts';
import { textOf } from './statement-text.ts';

it('the planner reads no parameter, so that a statement is planned once for all its values', () => {
  const limited = sql`SELECT id FROM messages WHERE id > ${1} ORDER BY id LIMIT ${2} OFFSET ${3}`;
  expect(textOf(limited)).toBe('SELECT id FROM messages WHERE id > ? ORDER BY id LIMIT +? OFFSET +?');
});
