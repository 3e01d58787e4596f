/**
 * The messages, copied as a client resumes: of each room, those whose latest change is after the last one that the
 * target has. So the target itself is the cursor, and a copy that was killed goes on where it stopped.
 */
import type { Row, Source } from './source.ts';
import type { TableWithColumns } from './tables.ts';
import type { Target } from './target.ts';

const CHUNK = 5000;

/** `changed_seq` up to which each room was copied. */
export type Cursors = Map<number, number>;

/**
 * Copies all changes that there are now, and advances the cursors. `onChunk`: with the number of the changes that a
 * chunk has brought.
 */
export async function copyMessages(
  { source, target, table }: { source: Source; target: Target; table: TableWithColumns },
  cursors: Cursors,
  onChunk: (changes: number) => void,
): Promise<void> {
  let stored: Promise<void> = Promise.resolve();
  for (const { rows, changes } of chunks(source, table, cursors)) {
    // The next chunk is read while this one is stored.
    await stored;
    stored = target.put(table, rows, ['room_id', 'id']).then(() => onChunk(changes));
  }
  await stored;
}

/** Chunks of the rooms' messages: a large room has many, and small rooms share one. */
function* chunks(source: Source, table: TableWithColumns, cursors: Cursors) {
  let rows: Row[] = [];
  let changes = 0;
  for (const { id, seq } of source.heads()) {
    for (let cursor = cursors.get(id) ?? 0; cursor < seq; ) {
      const more = source.messagesAfter(table, id, cursor, CHUNK - rows.length);
      const last = more.at(-1)?.changed_seq;
      if (last === undefined) break;
      rows.push(...more);
      changes += Number(last) - cursor;
      cursor = Number(last);
      cursors.set(id, cursor);
      if (rows.length < CHUNK) continue;
      yield { rows, changes };
      [rows, changes] = [[], 0];
    }
  }
  if (rows.length > 0) yield { rows, changes };
}
