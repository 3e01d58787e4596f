import type { Typist } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import styles from './TypingLine.module.css';

/** "ann and bo are typing". It always takes a line, so that nothing moves. */
export function TypingLine({ typing }: { readonly typing: readonly Typist[] }) {
  const text = useText();
  return (
    <p className={styles.line} data-testid="typing">
      {typing.length > 0 && (
        <>
          <span className={styles.dots} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span className={styles.names}>
            <Sentence text={text.composer.typing(typing.map((typist) => isolate(typist.username)))} />
          </span>
        </>
      )}
    </p>
  );
}
