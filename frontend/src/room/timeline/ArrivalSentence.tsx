import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Sentence } from '../../ui/Sentence.tsx';

export interface ArrivalNames {
  readonly joined: readonly string[];
  readonly left: readonly string[];
  readonly visited: readonly string[];
}

/** "ann and bo joined · cy left · di joined and left". */
export function ArrivalSentence({ joined, left, visited }: ArrivalNames) {
  const { arrivals } = useScreenTexts();
  const parts = [
    ...(joined.length > 0 ? [arrivals.joined(joined.map(isolate))] : []),
    ...(left.length > 0 ? [arrivals.left(left.map(isolate))] : []),
    ...(visited.length > 0 ? [arrivals.visited(visited.map(isolate))] : []),
  ];
  return <Sentence text={parts.join(' · ')} />;
}
