/** Numbers in sentences. */

const plural = new Intl.PluralRules('en');

export const countEn = new Intl.NumberFormat('en');
export const countZh = new Intl.NumberFormat('zh-CN');

/** "1 room", "1,204 rooms". */
export function many(n: number, one: string, other: string): string {
  return `${countEn.format(n)} ${plural.select(n) === 'one' ? one : other}`;
}
