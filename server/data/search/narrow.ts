/** Which conditions of a query an index is asked for. What it proposes is judged by all of them. */
import type { AnyOf } from '../../../protocol/search/tokens.ts';

/** So many words that others begin or end with, the longest: the lists of all those others are merged. */
const PREFIXES_MAX = 4;
/** So many of all conditions, the rarest: a list of half of all texts takes as long as many rows. */
export const CONDITIONS_MAX = 4;

/** Leaves out most of the words that others begin or end with. */
export function withoutShort(conditions: readonly AnyOf[]): AnyOf[] {
  const lengthOf = (anyOf: AnyOf) =>
    Math.max(...anyOf.map((one) => ('prefix' in one ? one.prefix.length : 0)));
  const prefixes = conditions.filter((anyOf) => lengthOf(anyOf) > 0);
  const longest = new Set(
    prefixes.toSorted((one, other) => lengthOf(other) - lengthOf(one)).slice(0, PREFIXES_MAX),
  );
  return conditions.filter((anyOf) => lengthOf(anyOf) === 0 || longest.has(anyOf));
}

/** `frequency`: the more texts have a condition, the higher. */
export function rarest(conditions: readonly AnyOf[], frequency: (anyOf: AnyOf) => number): AnyOf[] {
  if (conditions.length <= CONDITIONS_MAX) return [...conditions];
  return conditions
    .map((anyOf) => ({ anyOf, frequency: frequency(anyOf) }))
    .sort((one, other) => one.frequency - other.frequency)
    .slice(0, CONDITIONS_MAX)
    .map(({ anyOf }) => anyOf);
}
