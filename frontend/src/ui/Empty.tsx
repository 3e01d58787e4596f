import type { ReactNode } from 'react';
import styles from './Empty.module.css';

interface EmptyProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly hint?: string;
  /** It is the whole page, and its title the level-1 heading. */
  readonly page?: boolean;
  readonly children?: ReactNode;
}

/** Shown where there is nothing yet, with what to do about it. */
export function Empty({ icon, title, hint, page = false, children }: EmptyProps) {
  const Title = page ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      {icon !== undefined && <div className={styles.icon}>{icon}</div>}
      <Title className={styles.title}>{title}</Title>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {children}
    </div>
  );
}
