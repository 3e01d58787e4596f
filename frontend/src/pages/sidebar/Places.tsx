import { useScreenTexts } from '../../i18n/screens.ts';
import { newThreads, useThreads } from '../../stores/threads.ts';
import { useInboxUnread } from '../../stores/unread.ts';
import { BookmarkIcon, InboxIcon, ThreadIcon } from '../../ui/late-icons.tsx';
import { Place } from './Place.tsx';

/** What stands above the rooms: the inbox, the followed threads, and what the user has saved. */
export function Places() {
  const { inbox, thread, savedPage } = useScreenTexts();
  const unread = useInboxUnread();
  const threads = useThreads(newThreads);
  return (
    <>
      <Place page="inbox" name={inbox.title} icon={InboxIcon} count={unread} counted={inbox.unread(unread)} />
      <Place
        page="threads"
        name={thread.page}
        icon={ThreadIcon}
        count={threads}
        counted={thread.newThreads(threads)}
      />
      <Place page="saved" name={savedPage.title} icon={BookmarkIcon} />
    </>
  );
}
