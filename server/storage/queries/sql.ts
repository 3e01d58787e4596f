/**
 * SQL as a tagged template. A value becomes a parameter, never text; a part that is SQL itself is inserted as SQL. The
 * statements keep to what SQLite and PostgreSQL both understand. Only the placeholders differ, and each adapter writes
 * its own.
 */

export type SqlValue = string | number | null;

/** Texts and values alternate: there is one text more than values. */
export interface Sql {
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** ``sql`SELECT … WHERE id = ${id}` ``; an empty ``sql`` `` adds nothing. */
export function sql(strings: TemplateStringsArray, ...parts: (SqlValue | Sql)[]): Sql {
  const texts = [strings[0] ?? ''];
  const values: SqlValue[] = [];
  for (const [index, part] of parts.entries()) {
    if (part !== null && typeof part === 'object') {
      append(texts, part.texts[0]);
      values.push(...part.values);
      texts.push(...part.texts.slice(1));
    } else {
      values.push(part);
      texts.push('');
    }
    append(texts, strings[index + 1]);
  }
  return { texts, values };
}

/**
 * The items of `IN (…)`, of which there is at least one. The last one is repeated up to the next power of two, so that
 * lists of any length have a few texts, and as few prepared statements.
 */
export function list(items: readonly SqlValue[]): Sql {
  const last = items.at(-1);
  if (last === undefined) throw new Error('an empty list');
  const length = 2 ** Math.ceil(Math.log2(items.length));
  const texts = Array.from({ length: length + 1 }, (_, index) =>
    index === 0 || index === length ? '' : ', ',
  );
  return { texts, values: Array.from({ length }, (_, index) => items[index] ?? last) };
}

function append(texts: string[], text = ''): void {
  texts[texts.length - 1] += text;
}

/** The text for a database that names its parameters as `placeholder` does, counted from 1. */
export function render({ texts }: Sql, placeholder: (position: number) => string): string {
  return texts.reduce((text, next, position) => `${text}${placeholder(position)}${next}`);
}
