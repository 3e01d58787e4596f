/** Lists of names in Chinese sentences. */
import { countZh } from './numbers-zh.ts';

const conjunction = new Intl.ListFormat('zh-CN', { type: 'conjunction' });

/** "ann", "ann 和 bo", "ann、bo 和 cy": names in Latin letters have spaces around the word between them. */
export function namesZh(names: readonly string[]): string {
  const parts = conjunction.formatToParts(names);
  return parts.map(({ type, value }) => (type === 'literal' && value === '和' ? ' 和 ' : value)).join('');
}

/** "ann ", "ann 和 bo ", "ann、bo 等 5 人": the subject of a verb. */
export function peopleZh(names: readonly string[]): string {
  if (names.length <= 3) return `${namesZh(names)} `;
  return `${names.slice(0, 2).join('、')} 等 ${countZh.format(names.length)} 人`;
}
