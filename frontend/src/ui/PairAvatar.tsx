import type { User } from '../../../client/index.ts';
import { Avatar } from './Avatar.tsx';
import styles from './PairAvatar.module.css';

interface PairAvatarProps {
  /** Of whom the first two are drawn. */
  readonly people: readonly User[];
  /** `row`: as small on a phone as elsewhere. */
  readonly size?: 'row' | 'list' | 'normal';
}

/** A conversation of several people: two rounds, one over the other. */
export function PairAvatar({ people, size = 'list' }: PairAvatarProps) {
  return (
    <span className={styles.pair} data-size={size}>
      {people.slice(0, 2).map(({ id, username }) => (
        <Avatar key={id} size="list" userId={id} username={username} />
      ))}
    </span>
  );
}
