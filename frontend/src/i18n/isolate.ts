/** Names within sentences: a right-to-left name must not reorder the text beside it. */

/** First strong isolate, pop directional isolate. No name may contain either (`protocol/text.ts`). */
const [OPEN, CLOSE] = ['\u2068', '\u2069'];
/** In Chinese, a space stands between a name and the words around it only where one of them is not Chinese. */
const BETWEEN_HAN = new RegExp(
  `(?<=\\p{sc=Han}) (?=${OPEN}\\p{sc=Han})|(?<=\\p{sc=Han}${CLOSE}) (?=\\p{sc=Han})`,
  'gu',
);
const ISOLATED = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, 'u');

/** Marks a name before it goes into a sentence of the catalogue. `Sentence` then shows it. */
export function isolate(name: string): string {
  return OPEN + name + CLOSE;
}

/** The sentence cut at its names: the pieces at odd indexes are names. */
export function splitAtNames(sentence: string): string[] {
  return sentence.replaceAll(BETWEEN_HAN, '').split(ISOLATED);
}
