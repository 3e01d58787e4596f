import type { FollowedThreads } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { ActivityDays } from '../../parts/activity/ActivityDays.tsx';
import { ActivityList } from '../../parts/activity/ActivityList.tsx';
import { ActivityRow } from '../../parts/activity/ActivityRow.tsx';
import { wordsOf } from '../../parts/files/message-words.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useDisplayName } from '../../stores/people.ts';
import { useRooms } from '../../stores/rooms.ts';
import { threadPath } from '../../stores/route.ts';
import { markThreadRead, refreshThreads, useThreads } from '../../stores/threads.ts';
import { Empty } from '../../ui/Empty.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { Page, WhenLoaded } from '../../ui/Page.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
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
            <ActivityList>
              <ActivityDays entries={threads} atOf={lastAt} label={texts.page}>
                {(thread) => <ThreadRow key={thread.root.id} thread={thread} />}
              </ActivityDays>
            </ActivityList>
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

function lastAt({ root }: Followed): number {
  return Date.parse(root.thread?.last_at ?? root.created_at);
}

function ThreadRow({ thread }: { readonly thread: Followed }) {
  const text = useText();
  const { thread: texts, inbox } = useScreenTexts();
  const { root, unread } = thread;
  const room = useRooms((store) => store.rooms.find(({ id }) => id === root.room_id));
  const name = useDisplayName(root.user_id) ?? root.username;
  const isBlocked = useOwnRooms(({ blocked }) => blocked.has(root.user_id));
  const isDeleted = root.deleted_at !== undefined;
  const { title, replies = 0, resolved } = root.thread ?? {};
  const where = room?.name ?? text.room.unnamed(root.room_id);
  return (
    <ActivityRow
      roomId={root.room_id}
      person={{ id: root.user_id, username: root.username }}
      lead={<Sentence text={texts.began(isolate(name), isolate(where))} />}
      words={title ?? (isDeleted ? texts.quoteDeleted : isBlocked ? texts.quoteBlocked : wordsOf(root))}
      at={lastAt(thread)}
      path={threadPath(root.room_id, root.id)}
      state={unread === 0 ? 'done' : 'new'}
      done={unread === 0 ? undefined : { label: inbox.done, run: () => markThreadRead(thread) }}
      testId="followed-thread"
      foot={
        <>
          {resolved && <CheckIcon size={14} />}
          {texts.replies(replies)}
          {unread > 0 && <span className={styles.new}>{texts.new(unread)}</span>}
        </>
      }
    />
  );
}
