import type { ReactNode } from 'react';
import type { DrawingName } from './drawings.tsx';
import styles from './Empty.module.css';
import { lazyPart } from './lazy-part.tsx';

const Drawing = lazyPart(async () => (await import('./drawings.tsx')).Drawing);

interface EmptyProps {
  /** One of drawings.tsx. */
  readonly drawing?: DrawingName;
  readonly title: string;
  readonly hint?: string;
  /** It is the whole page, and its title the level-1 heading. */
  readonly page?: boolean;
  readonly children?: ReactNode;
}

/** Shown where there is nothing yet, with what to do about it. */
export function Empty({ drawing, title, hint, page = false, children }: EmptyProps) {
  const Title = page ? 'h1' : 'h2';
  return (
    <div className={styles.empty} data-empty>
      {drawing !== undefined && (
        <div className={styles.drawing}>
          <Drawing name={drawing} />
        </div>
      )}
      <Title className={styles.title}>{title}</Title>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {children}
    </div>
  );
}
