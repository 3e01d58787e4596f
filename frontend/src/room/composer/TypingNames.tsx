import type { Typist } from '../../../../client/index.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { usePeople } from '../../stores/people.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import styles from './TypingLine.module.css';

const FACES = 3;

/** "ann and bo are typing", by the names that they go by; without the people whom the user has blocked. */
export function TypingNames({ typing }: { readonly typing: readonly Typist[] }) {
  const { composing } = useScreenTexts();
  const blocked = useOwnRooms((store) => store.blocked);
  const profiles = usePeople((store) => store.profiles);
  const people = typing.filter(({ userId }) => !blocked.has(userId));
  const names = people.map(({ userId, username }) => isolate(profiles.get(userId)?.display_name || username));
  if (names.length === 0) return null;
  return (
    <>
      <span className={styles.faces}>
        {people.slice(0, FACES).map(({ userId, username }) => (
          <Avatar key={userId} userId={userId} username={username} size="tiny" />
        ))}
      </span>
      <span className={styles.names}>
        <Sentence text={composing.typing(names)} />
      </span>
      <span className={styles.dots} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
    </>
  );
}
