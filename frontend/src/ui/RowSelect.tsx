import type { ComponentProps } from 'react';
import { ChevronIcon } from './icons.tsx';
import styles from './List.module.css';

/** A choice in a row or beside a search. What it is about stands beside it; `aria-label` says it. */
export function RowSelect(select: Omit<ComponentProps<'select'>, 'className'>) {
  return (
    <span className={styles.choice}>
      <select {...select} className={styles.select} />
      <span className={styles.arrow}>
        <ChevronIcon size={16} />
      </span>
    </span>
  );
}
