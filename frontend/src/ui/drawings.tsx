/**
 * The drawings of empty places: one hallway with variations, in the hue of the window. They are decoration: the words
 * stand beneath. A screen shows one at most.
 */
import type { ReactNode } from 'react';
import styles from './drawings.module.css';

/** Where doors stand: the line between wall and floor. */
const FLOOR = 88;

interface DoorProps {
  /** Of its left edge. */
  readonly x: number;
  readonly width: number;
  readonly isOpen?: boolean;
  /** The leaf turns to the left, not to the right. */
  readonly isMirrored?: boolean;
}

/** The door of `Door.tsx`: closed and pale, or ajar with light behind it. */
function HallDoor({ x, width, isOpen = false, isMirrored = false }: DoorProps) {
  const [half, height] = [width / 2, width * 1.4];
  const arch = `M0 ${height}V${half}a${half} ${half} 0 0 1 ${width} 0V${height}Z`;
  // Only where the leaf leaves it free: beneath its edge it would shine through.
  const light = `M${half} 0a${half} ${half} 0 0 1 ${half} ${half}V${height}H${half}Z`;
  const edge = width * 0.78;
  const leaf = `M0 ${height}V${half}A${half} ${half} 0 0 1 ${half} 0L${edge} ${width * 0.2}V${height + 3}Z`;
  const place = isMirrored ? `translate(${x + width} ${FLOOR - height}) scale(-1 1)` : undefined;
  return (
    <g transform={place ?? `translate(${x} ${FLOOR - height})`}>
      <path className={isOpen ? styles.light : styles.closed} d={isOpen ? light : arch} />
      {isOpen && <path className={styles.leaf} d={leaf} />}
      <circle
        className={isOpen ? styles.knob : styles.leaf}
        cx={width * (isOpen ? 0.62 : 0.8)}
        cy={height * 0.6}
        r={width * 0.055}
      />
    </g>
  );
}

const SHAPES = {
  /** Come in. */
  open_door: (
    <>
      <path className={styles.glow} d="m88 88 32 12H60l22-12Z" />
      <HallDoor x={62} width={44} isOpen />
    </>
  ),
  closed_door: <HallDoor x={62} width={44} />,
  /** Many rooms, and one that waits. */
  doors: (
    <>
      <HallDoor x={22} width={30} />
      <path className={styles.glow} d="m86 88 24 10H68l12-10Z" />
      <HallDoor x={66} width={36} isOpen />
      <HallDoor x={116} width={30} />
    </>
  ),
  /** Nothing is unread: every door is closed. */
  caught_up: (
    <>
      <HallDoor x={22} width={34} />
      <HallDoor x={67} width={34} />
      <HallDoor x={112} width={34} />
    </>
  ),
  /** Two who talk across the hallway. */
  threads: (
    <>
      <path className={styles.glow} d="M60 88h48l14 12H46Z" />
      <HallDoor x={28} width={38} isOpen />
      <HallDoor x={102} width={38} isOpen isMirrored />
    </>
  ),
  /** What is kept, in sight: a lamp on a shelf. */
  lamp: (
    <>
      <path className={styles.glow} d="M72 46h24l26 42H46Z" />
      <path className={styles.light} d="M76 22h16l9 24H67Z" />
      <path className={styles.line} d="M84 46v18M74 64h20" />
      <path className={styles.shelf} d="M44 65h80v5H44Z" />
      <path className={styles.line} d="M56 70v8l8-8M112 70v8l-8-8" />
    </>
  ),
  /** Without the connection. */
  candle: (
    <>
      <circle className={styles.glow} cx="84" cy="40" r="25" />
      <path className={styles.light} d="M84 24c8 10 8 20 0 24-8-4-8-14 0-24Z" />
      <path className={styles.closed} d="M77 52h14v36H77Z" />
      <path className={styles.line} d="M84 52v-6M66 88h36" />
    </>
  ),
  /** Two bubbles, one of them still empty: the first word. */
  first_word: (
    <>
      <path
        className={styles.closed}
        d="M36 22h56a11 11 0 0 1 11 11v20a11 11 0 0 1-11 11H56L43 75V64h-7a11 11 0 0 1-11-11V33a11 11 0 0 1 11-11Z"
      />
      <path className={styles.line} d="M40 37h48M40 49h32" />
      <path
        className={styles.light}
        d="M88 50h40a10 10 0 0 1 10 10v14a10 10 0 0 1-10 10h-4v10l-12-10H88a10 10 0 0 1-10-10V60a10 10 0 0 1 10-10Z"
      />
    </>
  ),
} as const satisfies Record<string, ReactNode>;

export type DrawingName = keyof typeof SHAPES;

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
      <rect className={styles.wall} x="4" y="4" width="160" height="104" rx="20" />
      <path className={styles.floor} d={`M4 ${FLOOR}h160a20 20 0 0 1-20 20H24a20 20 0 0 1-20-20Z`} />
      {SHAPES[name]}
    </svg>
  );
}
