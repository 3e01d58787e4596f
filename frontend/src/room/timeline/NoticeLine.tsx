import type { Notice } from '../../../../protocol/notices.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { lazyPart } from '../../shell/lazy-part.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import styles from './NoticeLine.module.css';

const FactSentence = lazyPart(async () => (await import('./FactSentence.tsx')).FactSentence);

/** "ann renamed the room to ops": what happened to the room or its members. */
export function FactLine({ notice }: { readonly notice: Notice }) {
  return (
    <li className={styles.notice} data-landmark data-testid="fact">
      <FactSentence notice={notice} />
    </li>
  );
}

interface NoticeLineProps {
  readonly joined: readonly string[];
  readonly left: readonly string[];
  readonly visited: readonly string[];
}

/** "ann and bo joined · cy left · di joined and left". */
export function NoticeLine({ joined, left, visited }: NoticeLineProps) {
  const text = useText();
  const parts = [
    ...(joined.length > 0 ? [text.room.joined(joined.map(isolate))] : []),
    ...(left.length > 0 ? [text.room.left(left.map(isolate))] : []),
    ...(visited.length > 0 ? [text.room.visited(visited.map(isolate))] : []),
  ];
  return (
    <li className={styles.notice} data-landmark data-testid="notice">
      <Sentence text={parts.join(' · ')} />
    </li>
  );
}
