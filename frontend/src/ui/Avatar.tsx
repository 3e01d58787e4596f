import type { CSSProperties } from 'react';
import styles from './Avatar.module.css';
import { avatarHue, initials } from './avatar.ts';

interface AvatarProps {
  readonly userId: number;
  readonly username: string;
  readonly size?: 'tiny' | 'small' | 'normal';
}

/** Initials on the user's own colour. The name stands beside it, so it is hidden from screen readers. */
export function Avatar({ userId, username, size = 'normal' }: AvatarProps) {
  const hue = { '--hue': avatarHue(userId) } as CSSProperties;
  return (
    <span className={styles.avatar} data-size={size} style={hue} aria-hidden="true">
      {initials(username)}
    </span>
  );
}
