/** Names within sentences: a right-to-left name must not reorder the text beside it. */

/** First strong isolate, pop directional isolate. No name may contain either (`protocol/text.ts`). */
const [OPEN, CLOSE] = ['\u2068', '\u2069'];
const ISOLATED = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, 'u');

/** Marks a name before it goes into a sentence of the catalogue. `Sentence` then shows it. */
export function isolate(name: string): string {
  return OPEN + name + CLOSE;
}

/** The sentence cut at its names: the pieces at odd indexes are names. */
export function splitAtNames(sentence: string): string[] {
  return sentence.split(ISOLATED);
}
