import type { ReactNode } from 'react';
import styles from './SwipeMark.module.css';

interface SwipeMarkProps {
  /** Whether lifting the finger now does it. */
  readonly isFar: boolean;
  readonly testId: string;
  readonly children: ReactNode;
}

/** Stands in a row that a finger draws aside: the icon of what lifting the finger does (`swipe.ts`). */
export function SwipeMark({ isFar, testId, children }: SwipeMarkProps) {
  return (
    <span className={styles.mark} data-far={isFar} data-testid={testId} aria-hidden="true">
      {children}
    </span>
  );
}
