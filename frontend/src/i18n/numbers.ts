/** Numbers in English sentences. */

const plural = new Intl.PluralRules('en');

export const countEn = new Intl.NumberFormat('en');

/** "1 room", "1,204 rooms". */
export function many(n: number, one: string, other: string): string {
  return `${countEn.format(n)} ${plural.select(n) === 'one' ? one : other}`;
}
