/** Everything but the messages, in one transaction. What an earlier run has stored there is replaced. */
import type { Source } from './source.ts';
import { MESSAGES, type TableWithColumns } from './tables.ts';
import type { Target } from './target.ts';

const CHUNK = 5000;

/** No server may run on the source. */
export async function copySmallTables(
  { source, target }: { source: Source; target: Target },
  tables: readonly TableWithColumns[],
): Promise<void> {
  const small = tables.filter(({ name }) => name !== MESSAGES.name);
  await target.transaction(async () => {
    await target.empty(small);
    await target.withoutReferences(async () => {
      for (const table of small) await copyTable({ source, target }, table);
    });
    for (const { key, value } of source.meta()) await target.writeMeta(key, value);
  });
  for (const { table, id } of source.lastIds()) await target.setLastId(table, id);
  await target.analyze(small);
}

async function copyTable(
  { source, target }: { source: Source; target: Target },
  table: TableWithColumns,
): Promise<void> {
  let after: (string | number | null)[] | undefined;
  for (;;) {
    const rows = source.page(table, after, CHUNK);
    const last = rows.at(-1);
    if (last === undefined) return;
    await target.put(table, rows);
    after = table.key.map((column) => last[column] ?? null);
  }
}
