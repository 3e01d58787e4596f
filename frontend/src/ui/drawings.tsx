/** The drawings of empty places: doors, in the colours of the theme. They are decoration: the words stand beneath. */
import type { ReactNode } from 'react';
import styles from './drawings.module.css';

/** A door that stands open, with light behind it: come in. */
const OpenDoor = (
  <>
    <path className={styles.wall} d="M58 100V46a26 26 0 0 1 52 0v54Z" />
    <path className={styles.light} d="M64 100V47a20 20 0 0 1 40 0v53Z" />
    <path className={styles.glow} d="m64 100-14 8h68l-14-8Z" />
    <path className={styles.door} d="M64 100V47a20 20 0 0 1 15-19.4L92 38v70Z" />
    <circle className={styles.knob} cx="86" cy="74" r="2.6" />
    <path className={styles.leaf} d="M132 100c-9-7-9-19 0-28 9 9 9 21 0 28Zm0 0V84" />
    <path className={styles.wall} d="M124 94h16l-2.5 12h-11Z" />
  </>
);

/** A closed door. */
const ClosedDoor = (
  <>
    <path className={styles.wall} d="M58 100V46a26 26 0 0 1 52 0v54Z" />
    <path className={styles.door} d="M64 100V47a20 20 0 0 1 40 0v53Z" />
    <circle className={styles.knob} cx="97" cy="74" r="2.6" />
    <path className={styles.line} d="M73 60V50a11 11 0 0 1 22 0v10Z" />
  </>
);

/** Three doors, each of its own colour. */
const Doors = (
  <>
    <path className={styles.one} d="M22 100V63a16 16 0 0 1 32 0v37Z" />
    <path className={styles.two} d="M66 100V53a18 18 0 0 1 36 0v47Z" />
    <path className={styles.three} d="M114 100V63a16 16 0 0 1 32 0v37Z" />
    <circle className={styles.knob} cx="48" cy="80" r="2.2" />
    <circle className={styles.knob} cx="95" cy="76" r="2.4" />
    <circle className={styles.knob} cx="140" cy="80" r="2.2" />
  </>
);

/** Two bubbles, one of them still empty: the first word. */
const FirstWord = (
  <>
    <path
      className={styles.wall}
      d="M36 24h60a12 12 0 0 1 12 12v22a12 12 0 0 1-12 12H58L44 82V70h-8a12 12 0 0 1-12-12V36a12 12 0 0 1 12-12Z"
    />
    <path className={styles.line} d="M40 40h52M40 53h34" />
    <path
      className={styles.light}
      d="M88 52h40a10 10 0 0 1 10 10v16a10 10 0 0 1-10 10h-4v10l-12-10H88a10 10 0 0 1-10-10V62a10 10 0 0 1 10-10Z"
    />
    <g className={styles.knob}>
      <circle cx="97" cy="70" r="2.6" />
      <circle cx="108" cy="70" r="2.6" />
      <circle cx="119" cy="70" r="2.6" />
    </g>
  </>
);

export type DrawingName = 'open_door' | 'closed_door' | 'doors' | 'first_word';

const SHAPES: Readonly<Record<DrawingName, ReactNode>> = {
  open_door: OpenDoor,
  closed_door: ClosedDoor,
  doors: Doors,
  first_word: FirstWord,
};

export function Drawing({ name }: { readonly name: DrawingName }) {
  return (
    <svg
      className={styles.drawing}
      width="168"
      height="112"
      viewBox="0 0 168 112"
      aria-hidden="true"
      focusable="false"
    >
      <path className={styles.ground} d="M12 100.5h144" />
      {SHAPES[name]}
    </svg>
  );
}
