import styles from './Keys.module.css';

interface KeysProps {
  readonly keys: readonly string[];
  /** It only hints at a shortcut, and is hidden on touch screens. */
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
