import styles from './Keys.module.css';

interface KeysProps {
  readonly keys: readonly string[];
  /** Beside something that can be pressed itself: of no use to a finger. */
  readonly isHint?: boolean;
}

/** Keys to be pressed together. */
export function Keys({ keys, isHint = false }: KeysProps) {
  return (
    <span className={styles.keys} data-hint={isHint}>
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
