import type { MouseEvent } from 'react';
import type { FollowedThreads } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { relativeDay } from '../../room/message/last-reply.ts';
import { QuotedText } from '../../room/thread/Quote.tsx';
import { useRooms } from '../../stores/rooms.ts';
import { navigate, threadPath } from '../../stores/route.ts';
import { refreshThreads, useThreads } from '../../stores/threads.ts';
import { Empty } from '../../ui/Empty.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { Page, WhenLoaded } from '../../ui/Page.tsx';
import styles from './ThreadsPage.module.css';

type Followed = FollowedThreads['threads'][0];

/** The threads that the user follows, that with the latest reply first. */
export function ThreadsPage() {
  const { thread: texts } = useScreenTexts();
  const { followed, hasFailed } = useThreads();
  return (
    <Page title={texts.page} hint={texts.hint}>
      <WhenLoaded loaded={loadedOf(followed, hasFailed)} onRetry={refreshThreads}>
        {(threads) =>
          threads.length === 0 ? (
            <Empty drawing="threads" title={texts.none} hint={texts.noneHint} />
          ) : (
            <ul className={styles.list} aria-label={texts.page}>
              {threads.map((thread) => (
                <ThreadRow key={thread.root.id} thread={thread} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

function loadedOf(followed: readonly Followed[] | null, hasFailed: boolean) {
  if (followed !== null) return { status: 'ready', value: followed } as const;
  return hasFailed ? ({ status: 'failed', error: null } as const) : ({ status: 'loading' } as const);
}

function ThreadRow({ thread: { root, unread } }: { readonly thread: Followed }) {
  const text = useText();
  const { thread: texts } = useScreenTexts();
  const room = useRooms((store) => store.rooms.find(({ id }) => id === root.room_id));
  const path = threadPath(root.room_id, root.id);

  function open(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(path);
  }

  return (
    <li>
      <a
        className={styles.row}
        href={path}
        onClick={open}
        data-unread={unread > 0}
        data-testid="followed-thread"
      >
        <span className={styles.top}>
          <span className={styles.room}>{room?.name ?? text.room.unnamed(root.room_id)}</span>
          {root.thread?.title !== undefined && <span className={styles.title}>{root.thread.title}</span>}
          {root.thread?.resolved && <CheckIcon size={14} />}
          <span className={styles.time}>{root.thread && relativeDay(text, root.thread.last_at)}</span>
        </span>
        <span className={styles.words}>
          <QuotedText message={root} />
        </span>
        <span className={styles.foot}>
          {texts.replies(root.thread?.replies ?? 0)}
          {unread > 0 && <span className={styles.new}>{texts.new(unread)}</span>}
        </span>
      </a>
    </li>
  );
}
