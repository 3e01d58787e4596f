import type { Notice } from '../../../../protocol/notices.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { noticeSentence } from './notice-sentence.ts';

/** "ann renamed the room to ops". */
export function FactSentence({ notice }: { readonly notice: Notice }) {
  return <Sentence text={noticeSentence(useScreenTexts(), notice)} />;
}
