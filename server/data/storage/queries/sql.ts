/**
 * SQL as a tagged template. A value becomes a parameter, never text; a part that is SQL itself is inserted as SQL. The
 * statements keep to what SQLite and PostgreSQL both understand. Only the placeholders differ, and each adapter writes
 * its own.
 */

export type SqlValue = string | number | null;

/** Texts and values alternate: there is one text more than values. */
export interface Sql {
  /** The same array each time where the template and its parts that are SQL are the same, so that it can be a key. */
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
  /** What SQLite's writer may do in its place. */
  readonly shortcut?: Shortcut | undefined;
}

/**
 * What SQLite's writer may do in place of a statement while it runs the commands of one batch. Other adapters run the
 * statement.
 */
export type Shortcut =
  /** Take what it knows of this room. */
  | { kind: 'room'; id: number }
  /** Take the rows that the statement had before. They depend on rows of users, members and rooms alone. */
  | { kind: 'known'; key: string }
  /** Set these counters of the room later. */
  | { kind: 'counters'; id: number; seq: number; number?: number; lastAt?: number };

/** The same statement with a shortcut. */
export function withShortcut({ texts, values }: Sql, shortcut: Shortcut): Sql {
  return { texts, values, shortcut };
}

/** A template with its parts so far that are SQL. `next`: with one more, by its place and its texts. */
interface Shape {
  texts: readonly string[] | undefined;
  readonly next: WeakMap<readonly string[], Shape>[];
}

const shapes = new WeakMap<TemplateStringsArray, Shape>();

/** ``sql`SELECT … WHERE id = ${id}` ``; an empty ``sql`` `` adds nothing. */
export function sql(strings: TemplateStringsArray, ...parts: (SqlValue | Sql)[]): Sql {
  let shape = shapes.get(strings) ?? newShape();
  shapes.set(strings, shape);
  const values: SqlValue[] = [];
  for (let place = 0; place < parts.length; place++) {
    const part = parts[place] ?? null;
    if (part !== null && typeof part === 'object') {
      values.push(...part.values);
      shape = after(shape, place, part.texts);
    } else values.push(part);
  }
  shape.texts ??= join(strings, parts);
  return { texts: shape.texts, values, shortcut: undefined };
}

function newShape(): Shape {
  return { texts: undefined, next: [] };
}

function after(shape: Shape, place: number, texts: readonly string[]): Shape {
  const known = shape.next[place] ?? new WeakMap<readonly string[], Shape>();
  shape.next[place] = known;
  const next = known.get(texts) ?? newShape();
  known.set(texts, next);
  return next;
}

function join(strings: TemplateStringsArray, parts: readonly (SqlValue | Sql)[]): readonly string[] {
  const texts = [strings[0] ?? ''];
  for (const [index, part] of parts.entries()) {
    if (part !== null && typeof part === 'object') {
      append(texts, part.texts[0]);
      texts.push(...part.texts.slice(1));
    } else texts.push('');
    append(texts, strings[index + 1]);
  }
  return texts;
}

/** By the length of the list. */
const listTexts = new Map<number, readonly string[]>();

/**
 * The items of `IN (…)`, of which there is at least one. The last one is repeated up to the next power of two, so that
 * lists of any length have a few texts, and as few prepared statements.
 */
export function list(items: readonly SqlValue[]): Sql {
  const last = items.at(-1);
  if (last === undefined) throw new Error('an empty list');
  const length = 2 ** Math.ceil(Math.log2(items.length));
  const texts =
    listTexts.get(length) ??
    Array.from({ length: length + 1 }, (_, index) => (index === 0 || index === length ? '' : ', '));
  listTexts.set(length, texts);
  const values = Array.from({ length }, (_, index) => items[index] ?? last);
  return { texts, values, shortcut: undefined };
}

function append(texts: string[], text = ''): void {
  texts[texts.length - 1] += text;
}

/** The text for a database that names its parameters as `placeholder` does, counted from 1. */
export function render({ texts }: Sql, placeholder: (position: number) => string): string {
  return texts.reduce((text, next, position) => `${text}${placeholder(position)}${next}`);
}
