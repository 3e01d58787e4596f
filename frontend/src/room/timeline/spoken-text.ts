/** What a screen reader hears of a message. */
import { wordsOf } from '../../../../protocol/markdown/words.ts';

/** The part of a long message that is read out. */
const MAX_CHARACTERS = 300;

/** The beginning of a message as it is shown: nobody listens to marks. */
export function spokenText(content: string): string {
  const words = wordsOf(content).trim();
  return [...(words === '' ? content : words)].slice(0, MAX_CHARACTERS).join('');
}
