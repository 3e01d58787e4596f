import { useText } from '../i18n/catalogue.ts';
import { IconButton } from '../ui/Button.tsx';
import { CheckIcon, CopyIcon } from '../ui/icons.tsx';
import { useCopy } from '../ui/use-copy.ts';
import styles from './CodeBlock.module.css';
import type { CodePiece } from './highlighter.ts';
import { useHighlighted } from './use-highlighted.ts';

interface CodeBlockProps {
  readonly code: string;
  readonly language: string | null;
}

/** About what fits without scrolling on a phone, in lines and in characters a line. */
const SHORT = { lines: 14, columns: 34 };

/** Fenced code: wrapped rather than scrolled sideways, and with an area of its own to scroll in when it is long. */
export function CodeBlock({ code, language }: CodeBlockProps) {
  const text = useText();
  const pieces = useHighlighted(code, language);
  const { copied, copy } = useCopy(code);
  return (
    <figure className={styles.block} dir="ltr" data-bare={language === null} data-testid="code-block">
      <figcaption className={styles.head}>
        <span className={styles.language}>{language}</span>
        <IconButton
          label={copied ? text.content.copied : text.content.copy}
          className={styles.copy}
          data-done={copied}
          onClick={() => void copy()}
        >
          {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
        </IconButton>
      </figcaption>
      <pre
        className={styles.area}
        // What scrolls must be within reach of the keyboard.
        {...(isLong(code) ? { tabIndex: 0, role: 'region', 'aria-label': text.content.code } : {})}
      >
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

function isLong(code: string): boolean {
  const lines = code.split('\n');
  return lines.reduce((sum, line) => sum + 1 + Math.floor(line.length / SHORT.columns), 0) > SHORT.lines;
}
