import { describe, expect, it } from 'vitest';
import { jsonBytes, listJson, writeFitting } from './written-list.ts';

const TEXTS = ['', 'short', 'ä€😀', '"\\\u0000\u2028', '\ud83d', 'x'.repeat(20_000), '😀'.repeat(9000)];

interface Page {
  rows: string[];
  has_more: boolean;
}

describe('JSON as bytes', () => {
  it.each([0, 1, 2, 7, 300])('%i items are those that were given, in their order, in UTF-8', (count) => {
    const items = Array.from({ length: count }, (_, index) => [index, TEXTS[(index * 5) % TEXTS.length]]);
    const bytes = jsonBytes(
      '{"of":"ä","items":[',
      items.map((item) => JSON.stringify(item)),
      '],"end":"😀"}',
    );
    const text = `{"of":"ä","items":[${items.map((item) => JSON.stringify(item)).join()}],"end":"😀"}`;
    expect(bytes.equals(Buffer.from(text))).toBe(true);
    expect(JSON.parse(bytes.toString())).toEqual({ of: 'ä', items, end: '😀' });
  });

  it('a list says that there is more when not all of its rows fit', async () => {
    const writing = { lengthOf: (row: string) => row.length, write: (row: string) => JSON.stringify(row) };
    const list = async (rows: string[], hasMore?: boolean) =>
      JSON.parse((await listJson<Page, string>('rows', rows, writing, hasMore)).toString());
    expect(await list([])).toEqual({ rows: [], has_more: false });
    expect(await list(['a', 'b'])).toEqual({ rows: ['a', 'b'], has_more: false });
    expect(await list(['a'], true)).toEqual({ rows: ['a'], has_more: true });
    const large = Array.from({ length: 3 }, () => 'x'.repeat(500_000));
    const { rows } = await writeFitting(large, writing);
    expect(rows.length).toBeLessThan(3);
    expect(await list(large)).toEqual({ rows: large.slice(0, rows.length), has_more: true });
  });
});
