import { useText } from '../../i18n/catalogue.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './CodeBlock.module.css';
import type { CodePiece } from './highlighter.ts';
import { useHighlighted } from './use-highlighted.ts';

interface CodeBlockProps {
  readonly code: string;
  readonly language: string | null;
  /** All that the author put behind the fence. */
  readonly info: string;
}

/** Fenced code, wrapped. It never scrolls by itself: a box within the timeline would take the wheel from it. */
export function CodeBlock({ code, language, info }: CodeBlockProps) {
  const text = useText();
  const pieces = useHighlighted(code, language);
  const { copied, copy } = useCopy(code);
  return (
    <figure className={styles.block} dir="ltr" data-bare={language === null} data-testid="code-block">
      <figcaption className={styles.head}>
        <span className={styles.language} title={info === language ? undefined : info}>
          {language}
        </span>
        <IconButton
          label={copied ? text.content.copied : text.content.copy}
          className={styles.copy}
          data-done={copied}
          onClick={() => void copy()}
        >
          {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
        </IconButton>
      </figcaption>
      <pre className={styles.area}>
        <code>
          <Pieces pieces={pieces} />
        </code>
      </pre>
    </figure>
  );
}

function Pieces({ pieces }: { readonly pieces: readonly CodePiece[] }) {
  return pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={String(index)} data-token={piece.token}>
        <Pieces pieces={piece.pieces} />
      </span>
    ),
  );
}
