import styles from './BigDoor.module.css';
import { hueStyle } from './hue.ts';

interface BigDoorProps {
  /** In degrees. */
  readonly hue: number;
  readonly emoji?: string | null;
  /** Stands on the leaf where there is no emoji; empty: nothing does. */
  readonly letter?: string;
  /** In pixels. */
  readonly width: number;
  /** Nobody goes on there. */
  readonly isShut?: boolean;
}

/** A room's door, large and open: come in. It is hidden from screen readers, as the name stands beside it. */
export function BigDoor({ hue, emoji = null, letter = '', width, isShut = false }: BigDoorProps) {
  return (
    <svg
      className={styles.door}
      width={width}
      height={(width * 156) / 132}
      viewBox="0 0 132 156"
      data-hue=""
      style={hueStyle(hue)}
      aria-hidden="true"
      focusable="false"
    >
      {!isShut && <path className={styles.light} d="M66 6a60 60 0 0 1 60 60v84H66Z" />}
      <path
        className={styles.leaf}
        d={isShut ? 'M6 150V66a60 60 0 0 1 120 0v84Z' : 'M6 150V66A60 60 0 0 1 66 6l34 25v125Z'}
      />
      <circle className={styles.sign} cx={isShut ? 110 : 86} cy="88" r="5" />
      <text
        className={styles.sign}
        x={isShut ? 60 : 46}
        y="97"
        fontSize="38"
        fontWeight="700"
        textAnchor="middle"
      >
        {emoji ?? letter}
      </text>
    </svg>
  );
}
