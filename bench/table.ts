/** Tables in Markdown, aligned so that they are readable in a terminal, too. */

export interface Table {
  head: string[];
  rows: string[][];
}

/** The first column is text, aligned left; the others are numbers, aligned right. */
export function formatTable({ head, rows }: Table): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    `| ${widths.map((width, column) => align(cells[column] ?? '', width, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => '-'.repeat(width + 1) + (column === 0 ? '-' : ':')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

function align(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}

/** A whole number in groups of three digits: 1 234 567. */
export function count(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en-US').replaceAll(',', ' ') : '-';
}

/** A number with about two significant digits: 0.42, 4.2, 42. */
export function decimal(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}

export function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 100)} %` : '-';
}
