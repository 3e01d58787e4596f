import type { ReactNode } from 'react';
import { BigDoor } from './BigDoor.tsx';
import styles from './Hero.module.css';
import { HALL_HUE } from './hue.ts';

interface HeroProps {
  readonly title: ReactNode;
  readonly hint?: ReactNode;
  /** The address of a picture that stands in place of the door of the product. */
  readonly picture?: string | undefined;
  /** The room whose door is drawn. Without it, the door of the product. */
  readonly door?: { readonly hue: number; readonly emoji: string | null; readonly letter: string };
  /** Of the title. */
  readonly level?: 1 | 2;
  /** Not known yet: it keeps its place, and nobody sees it. */
  readonly isHidden?: boolean;
}

/** An open door with a title beneath it: the picture of an invitation, and of each page before one is inside. */
export function Hero({ title, hint, picture, door, level = 1, isHidden = false }: HeroProps) {
  const Title = level === 1 ? 'h1' : 'h2';
  const { hue = HALL_HUE, emoji = null, letter = '' } = door ?? {};
  return (
    <div className={styles.hero}>
      {picture === undefined ? (
        <BigDoor hue={hue} emoji={emoji} letter={letter} width={132} />
      ) : (
        <img className={styles.picture} src={picture} alt="" draggable={false} />
      )}
      <div className={styles.words} data-hidden={isHidden}>
        <Title className={styles.title}>{title}</Title>
        {hint !== undefined && <div className={styles.hint}>{hint}</div>}
      </div>
    </div>
  );
}
