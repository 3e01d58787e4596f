import { nameKey } from '../../../../protocol/text.ts';

/** Whether a word of one of the names begins with this key (`nameKey`), as the server finds people. */
export function beginsAWord(names: readonly string[], key: string): boolean {
  return names.some((name) => {
    const words = nameKey(name);
    return words.startsWith(key) || words.split(/[\s._-]+/).some((word) => word.startsWith(key));
  });
}
