import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { User } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useServerName } from '../../stores/server-name.ts';
import { isTouch, NARROW, useMedia } from '../../stores/use-media.ts';
import { IconButton } from '../../ui/Button.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { Keys } from '../../ui/Keys.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { KEY_NAMES } from '../../ui/shortcuts.ts';
import { MeMenu } from './MeMenu.tsx';
import { NewMenu } from './NewMenu.tsx';
import { RoomList } from './RoomList.tsx';
import styles from './Sidebar.module.css';

/** Not part of the first paint. The style sheet keeps its space. */
const Places = lazyPart(async () => (await import('./Places.tsx')).Places);

interface SidebarProps {
  readonly user: User;
  readonly roomId: number | null;
  /** No page stands beside the list. */
  readonly isHome: boolean;
}

/** The list of rooms, and the account menu. */
export function Sidebar({ user, roomId, isHome }: SidebarProps) {
  const text = useText();
  // The bar of a phone has them.
  const isNarrow = useMedia(NARROW);
  const serverName = useServerName() ?? text.appName;
  // Each page has one level-1 heading. In a room it is the name of the room.
  const Brand = isHome ? 'h1' : 'span';
  const nav = useRef<HTMLElement>(null);
  const search = useRef<HTMLButtonElement>(null);

  // Nothing has the focus yet: the page has just loaded, or the user has just signed in. In a room the composer takes
  // it.
  useEffect(() => {
    if (isHome && document.activeElement === document.body && !isTouch()) search.current?.focus();
  }, [isHome]);

  /** Arrow keys move from the search field through the rooms and back. What is typed into the field is searched for. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    const rooms = [...(nav.current?.querySelectorAll<HTMLElement>('li a[href]') ?? [])];
    const at = rooms.indexOf(document.activeElement as HTMLElement);
    const inSearch = document.activeElement === search.current;
    if (!inSearch && at < 0) return;
    if (event.key === 'ArrowDown') (rooms[at + 1] ?? rooms[at])?.focus();
    else if (event.key === 'ArrowUp') (at > 0 ? rooms[at - 1] : search.current)?.focus();
    else if (inSearch && event.key !== ' ' && [...event.key].length === 1) jump(event.key);
    else return;
    event.preventDefault();
  }

  return (
    <nav
      ref={nav}
      className={styles.sidebar}
      aria-label={text.sidebar.label}
      data-region="rooms"
      onKeyDown={onKeyDown}
    >
      <div className={styles.top}>
        <Logo size={28} />
        <Brand className={styles.brand} title={serverName}>
          {serverName}
        </Brand>
        <IconButton
          label={text.sidebar.search}
          className={styles.find}
          aria-haspopup="dialog"
          onClick={() => jump()}
        >
          <SearchIcon />
        </IconButton>
        <NewMenu />
      </div>
      <button
        ref={search}
        type="button"
        className={styles.search}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        data-search=""
        title={text.sidebar.search}
        onClick={() => jump()}
      >
        <SearchIcon size={18} />
        <span className={styles.searchText}>{text.sidebar.search}</span>
        <span className={styles.keys} aria-hidden="true">
          <Keys isHint keys={[KEY_NAMES.command, 'K']} />
        </span>
      </button>
      <div className={styles.places}>{!isNarrow && <Places />}</div>
      <RoomList roomId={roomId} />
      <MeMenu user={user} />
    </nav>
  );
}

/** Opens the search, with what is typed already. */
function jump(query = ''): void {
  useDialogs.getState().show({ kind: 'switcher', query });
}
