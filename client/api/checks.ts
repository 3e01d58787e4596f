/**
 * Small type guards to build larger ones from. The schemas in `protocol/` define what travels; the compiler holds these
 * guards to the schemas' types, field by field. They ask less of a value than the schemas do, as it comes from our own
 * server, and they spare every browser the weight of a schema library.
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

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

export function either<A, B>(a: Check<A>, b: Check<B>): Check<A | B> {
  return (value): value is A | B => a(value) || b(value);
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(check);
}

/** An object with these fields; it may have others. */
export function record<T>(fields: { readonly [K in keyof T]-?: Check<T[K]> }): Check<T> {
  const entries = Object.entries<Check<unknown>>(fields as Record<string, Check<unknown>>);
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    entries.every(([name, check]) => check((value as Record<string, unknown>)[name]));
}
