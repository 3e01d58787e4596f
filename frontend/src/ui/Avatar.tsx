import { usePicture } from '../stores/people.ts';
import { useShownPerson } from '../stores/shown-people.ts';
import styles from './Avatar.module.css';
import { hueStyle, personHue } from './hue.ts';
import { initials } from './initials.ts';
import { lazyPart } from './lazy-part.tsx';

interface AvatarProps {
  readonly userId: number;
  readonly username: string;
  readonly size?: 'tiny' | 'list' | 'small' | 'normal' | 'large';
  /** Has a dot that says so. The words for it stand elsewhere. */
  readonly online?: boolean;
}

/** Without it, initials are shown, as for people without a picture. */
const Picture = lazyPart(
  async () => (await import('./AvatarPicture.tsx')).AvatarPicture,
  () => null,
);

/**
 * A person: their picture, or initials on a round of their own colour. Rooms are doors. The name stands beside it, so it
 * is hidden from screen readers.
 */
export function Avatar({ userId, username, size = 'normal', online = false }: AvatarProps) {
  const { first, last } = initials(username);
  const picture = usePicture(userId);
  useShownPerson(userId);
  return (
    <span
      className={styles.avatar}
      data-hue=""
      data-size={size}
      data-online={online}
      style={hueStyle(personHue(userId))}
      aria-hidden="true"
    >
      {first}
      {last !== '' && <span className={styles.last}>{last}</span>}
      {picture !== undefined && <Picture key={picture} picture={picture} />}
    </span>
  );
}
