/** Values on their way to PostgreSQL and back. */
import { types } from 'pg';

const INT8 = 20;
const INT8_ARRAY = 1016;

/** Numbers of eight bytes become JavaScript's, which hold all that Roomful stores. */
export const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return toNumber;
    if (oid === INT8_ARRAY) return toNumbers;
    return types.getTypeParser(oid, format as 'text');
  },
} as typeof types;

/** An array of numbers, as PostgreSQL writes it. */
export function numbers(values: readonly number[]): string {
  return `{${values.join()}}`;
}

function toNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is too large for a number`);
  return value;
}

function toNumbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(toNumber);
}
