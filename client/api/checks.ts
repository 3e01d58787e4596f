/**
 * Small type guards that larger ones are built from. The schemas in `protocol/` define the wire format, and the
 * compiler checks these guards against the schemas' types, field by field. They are looser than the schemas, because
 * the data comes from our own server, and they keep a schema library out of every browser (docs/decisions/0010).
 */
export type Check<T> = (value: unknown) => value is T;

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
/** An id, a seq or a count. */
export const isNatural = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

export function is<T extends string | number>(wanted: T): Check<T> {
  return (value): value is T => value === wanted;
}

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]): Check<T> {
  return (value): value is T => words.includes(value as T);
}

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

export function either<A, B>(a: Check<A>, b: Check<B>): Check<A | B> {
  return (value): value is A | B => a(value) || b(value);
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(check);
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** An object with at least these fields. */
export function record<T>(fields: { readonly [K in keyof T]-?: Check<T[K]> }): Check<T> {
  const entries = Object.entries<Check<unknown>>(fields as Record<string, Check<unknown>>);
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    entries.every(([name, check]) => check((value as Record<string, unknown>)[name]));
}

/** An object, of which only these fields are checked: those that the client computes with. */
export function some<T>(fields: { readonly [K in keyof T]?: Check<T[K]> }): Check<T> {
  return record(fields as { readonly [K in keyof T]-?: Check<T[K]> });
}
