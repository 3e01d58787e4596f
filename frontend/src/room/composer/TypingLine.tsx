import type { Typist } from '../../../../client/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import styles from './TypingLine.module.css';

const TypingNames = lazyPart(async () => (await roomParts()).TypingNames);

/** The people who are typing. It always takes a line, so that nothing moves. */
export function TypingLine({ typing }: { readonly typing: readonly Typist[] }) {
  return (
    <p className={styles.line} data-testid="typing">
      {typing.length > 0 && <TypingNames typing={typing} />}
    </p>
  );
}
