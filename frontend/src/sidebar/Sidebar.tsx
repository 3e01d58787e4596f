import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import type { User } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { useDialogs } from '../stores/dialogs.ts';
import { clearRoomFilter, filterRooms, useRoomFilter } from '../stores/room-filter.ts';
import { goToRoom } from '../stores/route.ts';
import { useShownRooms } from '../stores/shown-rooms.ts';
import { IconButton } from '../ui/Button.tsx';
import { CloseIcon, PlusIcon, SearchIcon } from '../ui/icons.tsx';
import { Keys } from '../ui/Keys.tsx';
import { Logo } from '../ui/Logo.tsx';
import { KEY_NAMES } from '../ui/shortcuts.ts';
import { isTouch } from '../ui/use-media.ts';
import { MeMenu } from './MeMenu.tsx';
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
  const query = useRoomFilter((store) => store.query);
  // Each page has one level-1 heading. In a room it is the name of the room.
  const Brand = isHome ? 'h1' : 'span';
  const nav = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);

  // For every way to open a room: a click, Enter, the switcher or a shortcut.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is for the moment when another room opens.
  useEffect(clearRoomFilter, [roomId]);

  // Nothing has the focus yet: the page has just loaded, or the user has just signed in. In a room the composer takes
  // it. On a touch screen it would raise the keyboard.
  useEffect(() => {
    if (isHome && document.activeElement === document.body && !isTouch()) search.current?.focus();
  }, [isHome]);

  function clear(): void {
    clearRoomFilter();
    search.current?.focus();
  }

  /** The room that is open already was chosen again. */
  function onClick(event: MouseEvent): void {
    const isLink = event.target instanceof Element && event.target.closest('a[href]') !== null;
    // The row prevents the default when it opens its room here. Otherwise the browser opens another tab.
    if (isLink && event.isDefaultPrevented()) clearRoomFilter();
  }

  function create(suggestion: string): void {
    useDialogs.getState().show({ kind: 'create_room', suggestion, onCreated: clearRoomFilter });
  }

  /** Arrow keys move from the search field through the rooms and back. Enter opens the first result. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.nativeEvent.isComposing)
      return;
    const rooms = [...(nav.current?.querySelectorAll<HTMLElement>('a[href]:not([data-place])') ?? [])];
    const at = rooms.indexOf(document.activeElement as HTMLElement);
    const inSearch = document.activeElement === search.current;
    if (!inSearch && at < 0) return;
    if (event.key === 'ArrowDown') (rooms[at + 1] ?? rooms[at])?.focus();
    else if (event.key === 'ArrowUp') (at > 0 ? rooms[at - 1] : search.current)?.focus();
    else if (event.key === 'Enter' && inSearch && query.trim() !== '') openFirst();
    else return;
    event.preventDefault();
  }

  /** The first result is not the first row in the document: that is only the first in sight. */
  function openFirst(): void {
    const [first] = useShownRooms.getState().ids;
    if (first === undefined) return;
    goToRoom(first);
    clearRoomFilter();
  }

  return (
    <nav
      ref={nav}
      className={styles.sidebar}
      aria-label={text.sidebar.label}
      data-region="rooms"
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div className={styles.top}>
        <Logo size={24} />
        <Brand className={styles.brand}>{text.appName}</Brand>
        <IconButton label={text.sidebar.newRoom} onClick={() => create('')}>
          <PlusIcon />
        </IconButton>
      </div>
      <div className={styles.search}>
        <SearchIcon size={16} />
        <input
          ref={search}
          type="search"
          aria-label={text.sidebar.search}
          placeholder={text.sidebar.search}
          value={query}
          onChange={(event) => filterRooms(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || query === '') return;
            event.preventDefault();
            clearRoomFilter();
          }}
        />
        {query === '' && (
          <button
            type="button"
            className={styles.switcher}
            title={text.sidebar.switcher}
            onClick={() => useDialogs.getState().show({ kind: 'switcher' })}
          >
            <span className="visually-hidden">{text.sidebar.switcher} </span>
            <Keys isHint keys={[KEY_NAMES.command, 'K']} />
          </button>
        )}
        {query !== '' && (
          <IconButton label={text.sidebar.clearSearch} onClick={clear}>
            <CloseIcon size={16} />
          </IconButton>
        )}
      </div>
      <div className={styles.places}>
        <Places />
      </div>
      <RoomList query={query} roomId={roomId} onCreate={create} />
      <MeMenu user={user} />
    </nav>
  );
}
