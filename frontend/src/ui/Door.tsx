import styles from './Door.module.css';
import { hueStyle, roomHue } from './hue.ts';
import { tileLetter } from './initials.ts';

interface DoorProps {
  readonly roomId: number;
  readonly name: string;
  readonly emoji?: string | null;
  /** The name of the chosen hue (`protocol/hues.ts`). Without one, the id gives it. */
  readonly hue?: string | null | undefined;
  readonly size?: 'row' | 'list' | 'item' | 'normal' | 'large';
  /** Something in the room is unread: the door stands open, and light falls out of it. */
  readonly isAjar?: boolean;
}

/**
 * A room: its door, in the room's hue, with its emoji or first letter. People are round. The name stands beside it, so
 * it is hidden from screen readers, and no part of the text around it.
 */
export function Door({ roomId, name, emoji = null, hue, size = 'normal', isAjar = false }: DoorProps) {
  return (
    <span
      className={styles.door}
      data-hue=""
      data-size={size}
      data-ajar={isAjar}
      data-emoji={emoji !== null}
      data-letter={emoji ?? tileLetter(name)}
      style={hueStyle(roomHue({ id: roomId, hue }))}
      aria-hidden="true"
    />
  );
}
