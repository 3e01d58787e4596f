/** The metrics that docs/OPERATIONS.md names, by the column that says where there are such. */
import { readFileSync } from 'node:fs';

const page = new URL('../../../docs/OPERATIONS.md', import.meta.url);

export type Where = 'all' | 'SQLite' | 'PostgreSQL' | 'Redis' | 'workers';

/** Sorted. */
export function namesInDocs(...where: Where[]): string[] {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| `(roomful_\w+)` \| (\w+) \|/gm);
  return [...rows]
    .filter(([, , place]) => where.some((one) => one === place))
    .map(([, name = '']) => name)
    .sort();
}
