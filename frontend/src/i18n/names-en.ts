/** Lists of names in English sentences. */
import { many } from './numbers.ts';

// British lists have no comma before "and", as the sentences here have none.
const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** "ann", "ann and bo", "ann, bo and cy". */
export function namesEn(names: readonly string[]): string {
  return conjunction.format(names);
}

/** "ann", "ann and bo", "ann, bo and 3 others". */
export function peopleEn(names: readonly string[]): string {
  if (names.length <= 3) return namesEn(names);
  return `${names.slice(0, 2).join(', ')} and ${many(names.length - 2, 'other', 'others')}`;
}
