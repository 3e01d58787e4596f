/** Lists that the server sends in pages only when they are large. */

/** Reads page after page; `read` gets the last row so far. */
export async function readAll<Page extends { has_more?: boolean | undefined }, Row>(
  read: (last: Row | undefined) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read(rows.at(-1));
    const more = rowsOf(page);
    rows.push(...more);
    if (page.has_more !== true || more.length === 0) return rows;
  }
}
