import type { ReactNode } from 'react';
import styles from './Empty.module.css';

interface EmptyProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly hint?: string;
  /** The page itself: its title is the heading of the first level. */
  readonly page?: boolean;
  readonly children?: ReactNode;
}

/** What stands where nothing is yet, and what to do about it. */
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
