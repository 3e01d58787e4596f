import type { Message } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { usePeople } from '../../stores/people.ts';
import { showThread, useRoute } from '../../stores/route.ts';
import { useThreads } from '../../stores/threads.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { relativeDay } from './last-reply.ts';
import styles from './ThreadLine.module.css';

interface ThreadLineProps {
  readonly message: Message;
  readonly active: boolean;
}

/** Under the root of a thread: how many replies it has, and of whom. It opens the thread. */
export function ThreadLine({ message, active }: ThreadLineProps) {
  const text = useText();
  const { thread: texts } = useScreenTexts();
  const profiles = usePeople((store) => store.profiles);
  const isOpen = useRoute(
    ({ route }) => route.page === 'room' && route.target?.kind === 'thread' && route.target.id === message.id,
  );
  const unread = useThreads(
    ({ followed }) => followed?.find(({ root }) => root.id === message.id)?.unread ?? 0,
  );
  const { thread } = message;
  if (thread === undefined) return null;
  const names = thread.people.flatMap((id) => profiles.get(id)?.username ?? []);
  return (
    <button
      type="button"
      className={styles.line}
      tabIndex={active ? 0 : -1}
      aria-expanded={isOpen}
      data-testid="thread-line"
      onClick={() => showThread(message.room_id, message.id)}
    >
      <span className={styles.faces} aria-hidden="true">
        {thread.people.map((id) => (
          <Avatar key={id} userId={id} username={profiles.get(id)?.username ?? ''} size="tiny" />
        ))}
      </span>
      <span className={styles.count}>{texts.replies(thread.replies)}</span>
      {thread.title !== undefined && <span className={styles.title}>{thread.title}</span>}
      {names.length > 0 && <span className={styles.names}>{names.join(', ')}</span>}
      {unread > 0 && <span className={styles.new}>{texts.new(unread)}</span>}
      {thread.resolved && (
        <span className={styles.resolved}>
          <CheckIcon size={14} />
          {texts.resolved}
        </span>
      )}
      <span className={styles.time}>{relativeDay(text, thread.last_at)}</span>
    </button>
  );
}
