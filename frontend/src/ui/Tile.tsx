import { hueStyle } from './hue.ts';
import { tileLetter } from './initials.ts';
import styles from './Tile.module.css';

interface TileProps {
  readonly roomId: number;
  readonly name: string;
  readonly emoji?: string | null;
  readonly size?: 'row' | 'list' | 'normal' | 'large';
}

/**
 * A room: its door. A square of its own colour, with the room's emoji or first letter. People are round. The name
 * stands beside it, so it is hidden from screen readers, and no part of the text around it.
 */
export function Tile({ roomId, name, emoji = null, size = 'normal' }: TileProps) {
  return (
    <span
      className={styles.tile}
      data-hue=""
      data-size={size}
      data-emoji={emoji !== null}
      data-letter={emoji ?? tileLetter(name)}
      style={hueStyle(roomId)}
      aria-hidden="true"
    />
  );
}
