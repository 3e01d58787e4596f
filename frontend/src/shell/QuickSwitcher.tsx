import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { type OpenDialog, useDialogs } from '../stores/dialogs.ts';
import { unreadOf, useOwnRooms } from '../stores/own-rooms.ts';
import { roomRequests } from '../stores/requests.ts';
import { useRooms } from '../stores/rooms.ts';
import { goToRoom, useRoute } from '../stores/route.ts';
import { useServerSearch } from '../stores/server-search.ts';
import { IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CloseIcon, SearchIcon } from '../ui/icons.tsx';
import { Keys } from '../ui/Keys.tsx';
import { KEY_NAMES } from '../ui/shortcuts.ts';
import { useRequest } from '../ui/use-loaded.ts';
import styles from './QuickSwitcher.module.css';
import { optionId, SwitcherList } from './SwitcherList.tsx';
import { peopleGroup, prepareSwitcher, type SwitcherItem, switcherSearch } from './switcher-items.ts';
import { useCommands } from './use-commands.ts';
import { usePeopleFound } from './use-people-found.ts';

const PAGE = 8;

/** Finds any room, any command and any person by a few letters. */
export function QuickSwitcher({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const { list } = useScreenTexts();
  const [query, setQuery] = useState(() => typedInto(useDialogs.getState().open));
  /** A key, not an index: the list may change just before Enter is pressed. Null: the first item. */
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const rooms = useRooms((store) => store.rooms);
  const own = useOwnRooms((store) => store.rooms);
  const currentId = useRoute(({ route }) => (route.page === 'room' ? route.roomId : null));
  const commands = useCommands();
  const wanted = query.trim();
  const searchingRooms = useServerSearch(wanted);
  const { people, searching: searchingPeople } = usePeopleFound(wanted);
  const searching = searchingRooms || searchingPeople;
  const request = useRequest();

  const search = useMemo(() => {
    // It may have been opened before it was prepared. Its first key must be as quick as the others.
    prepareSwitcher(rooms);
    return switcherSearch(rooms, commands);
  }, [rooms, commands]);
  const groups = useMemo(() => {
    const counts = rooms.map(({ id }) => [id, unreadOf(own, id)] as const);
    const found = search(query, { unread: new Map(counts.filter(([, count]) => count > 0)), currentId });
    return people.length === 0 ? found : [...found, peopleGroup(people)];
  }, [search, query, rooms, own, currentId, people]);
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  const active = Math.max(
    0,
    items.findIndex((item) => item.key === activeKey),
  );
  const activeItem = items[active];

  useEffect(() => {
    input.current?.focus();
  }, []);

  function run(item: SwitcherItem): void {
    onClose();
    if (item.kind === 'room') goToRoom(item.roomId);
    else if (item.kind === 'person') write(item.userId);
    else commands.find((command) => command.id === item.commandId)?.run();
  }

  /** Opens the direct conversation with somebody. */
  function write(userId: number): void {
    void request.run(async () => {
      const room = await roomRequests().createDm([userId]);
      void useRooms.getState().refresh();
      goToRoom(room.id);
    });
  }

  function createRoom(): void {
    useDialogs.getState().show({ kind: 'create_room', suggestion: wanted });
  }

  function activate(index: number): void {
    setActiveKey(items[index]?.key ?? null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const last = items.length - 1;
    switch (event.key) {
      case 'ArrowDown':
        activate(active >= last ? 0 : active + 1);
        break;
      case 'ArrowUp':
        activate(active <= 0 ? Math.max(last, 0) : active - 1);
        break;
      case 'PageDown':
        activate(Math.max(0, Math.min(active + PAGE, last)));
        break;
      case 'PageUp':
        activate(Math.max(active - PAGE, 0));
        break;
      case 'Enter':
        if (activeItem !== undefined) run(activeItem);
        else if (wanted !== '' && !searching) createRoom();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  return (
    <Dialog className={styles.switcher} onClose={onClose} aria-label={text.switcher.title}>
      <div className={styles.search}>
        <SearchIcon size={18} />
        <input
          ref={input}
          className={styles.input}
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls="switcher-list"
          aria-activedescendant={activeItem && optionId(activeItem)}
          aria-autocomplete="list"
          aria-label={text.switcher.title}
          placeholder={text.switcher.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActiveKey(null);
          }}
          onKeyDown={onKeyDown}
        />
        <Keys isHint keys={[KEY_NAMES.escape]} />
        <IconButton label={text.dialogs.close} className={styles.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      <SwitcherList
        groups={groups}
        activeKey={activeItem?.key}
        onActivate={(item) => setActiveKey(item.key)}
        onRun={run}
      />
      {items.length === 0 && (
        <div className={styles.none}>
          <p>{searching ? list.searching : text.switcher.none}</p>
          {!searching && (
            <button type="button" className={styles.create} onClick={createRoom}>
              {list.createIt(wanted)}
            </button>
          )}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {wanted !== '' && text.switcher.found(items.length)}
      </p>
    </Dialog>
  );
}

/** What the dialog was opened with. */
function typedInto(open: OpenDialog): string {
  return (open.kind === 'switcher' && open.query) || '';
}
