import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { newThreads, useThreads } from '../../stores/threads.ts';
import { useInboxUnread } from '../../stores/unread.ts';
import { BookmarkIcon, DoorIcon, InboxIcon, PersonIcon, ThreadIcon } from '../../ui/late-icons.tsx';
import styles from './Place.module.css';
import { Place } from './Place.tsx';

/** What stands above the rooms: the inbox, the followed threads, and what the user has saved. */
export function Places() {
  const { savedPage } = useScreenTexts();
  return (
    <>
      <OwnPlaces />
      <Place page="saved" name={savedPage.title} icon={BookmarkIcon} />
    </>
  );
}

/** The bar of a phone: its four first pages. */
export function TabBar() {
  const { tabs } = useText();
  return (
    <nav className={styles.bar} aria-label={tabs.label} data-region="tabs">
      <Place page="home" name={tabs.rooms} icon={DoorIcon} />
      <OwnPlaces />
      <Place page="settings" name={tabs.you} icon={PersonIcon} />
    </nav>
  );
}

function OwnPlaces() {
  const { inbox, thread } = useScreenTexts();
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
    </>
  );
}
