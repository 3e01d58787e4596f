/** Names within sentences: one that is written from right to left must not turn around what stands beside it. */

/** First strong isolate, pop directional isolate: no name may hold either (`protocol/text.ts`). */
const [OPEN, CLOSE] = ['\u2068', '\u2069'];
const ISOLATED = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, 'u');

/** The name as it is put into a sentence of the catalogue, which `Sentence` then shows. */
export function isolate(name: string): string {
  return OPEN + name + CLOSE;
}

/** The sentence cut at its names: what stands at odd places is a name. */
export function splitAtNames(sentence: string): string[] {
  return sentence.split(ISOLATED);
}
