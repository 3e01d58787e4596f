import { useText } from '../../i18n/catalogue.ts';
import styles from './TimelineSkeleton.module.css';

const LINES = [
  [30, 72],
  [22, 48],
  [26, 64],
  [20, 38],
  [28, 56],
] as const;

/** Placeholders for messages. They appear after 150 ms, so that a quick response causes no flicker. */
export function TimelineSkeleton() {
  const text = useText();
  return (
    <div className={styles.skeleton} role="status" aria-label={text.room.loading}>
      {LINES.map(([name, line]) => (
        <div key={line} className={styles.row}>
          <span className={styles.avatar} />
          <div className={styles.lines}>
            <span style={{ width: `${name}%` }} />
            <span style={{ width: `${line}%` }} />
          </div>
        </div>
      ))}
    </div>
  );
}
