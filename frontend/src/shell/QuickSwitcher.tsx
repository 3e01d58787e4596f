import { type KeyboardEvent, useMemo, useState } from 'react';
import { useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { openDm } from '../parts/rooms/open-dm.ts';
import { type OpenDialog, useDialogs } from '../stores/dialogs.ts';
import { goToRoom } from '../stores/route.ts';
import { openSearch } from '../stores/search.ts';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useRequest } from '../ui/use-loaded.ts';
import styles from './QuickSwitcher.module.css';
import { optionId, SwitcherList } from './SwitcherList.tsx';
import { SwitcherMessages } from './SwitcherMessages.tsx';
import { SwitcherSearch } from './SwitcherSearch.tsx';
import type { SwitcherItem } from './switcher-items.ts';
import { useCommands } from './use-commands.ts';
import { useSwitcherGroups } from './use-switcher-groups.ts';

const PAGE = 8;

/** Finds any room, any command and any person by a few letters. */
export function QuickSwitcher({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const [query, setQuery] = useState(() => typedInto(useDialogs.getState().open));
  /** A key, not an index: the list may change just before Enter is pressed. Null: the first item. */
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const wanted = query.trim();
  const commands = useCommands();
  const { groups, searching } = useSwitcherGroups(query, commands);
  const request = useRequest();
  const isNarrow = useMedia(NARROW);

  const items = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  const active = Math.max(
    0,
    items.findIndex((item) => item.key === activeKey),
  );
  const activeItem = items[active];

  function run(item: SwitcherItem): void {
    onClose();
    if (item.kind === 'room') goToRoom(item.roomId);
    else if (item.kind === 'person') void request.run(() => openDm([item.userId]));
    else commands.find((command) => command.id === item.commandId)?.run();
  }

  function searchMessages(): void {
    onClose();
    openSearch(wanted);
  }

  function createRoom(): void {
    useDialogs.getState().show({ kind: 'create_room', suggestion: wanted });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Tab' && !event.shiftKey && wanted !== '') {
      event.preventDefault();
      return searchMessages();
    }
    const next = indexAfter(event.key, active, items.length - 1);
    if (next !== null) setActiveKey(items[next]?.key ?? null);
    else if (event.key !== 'Enter') return;
    else if (activeItem !== undefined) run(activeItem);
    else if (wanted !== '' && !searching) createRoom();
    event.preventDefault();
  }

  return (
    <Dialog className={styles.switcher} isSheet={isNarrow} onClose={onClose} aria-label={text.switcher.title}>
      <SwitcherSearch
        query={query}
        hasFound={items.length > 0}
        activeId={activeItem && optionId(activeItem)}
        onChange={(typed) => {
          setQuery(typed);
          setActiveKey(null);
        }}
        onKeyDown={onKeyDown}
        onClose={onClose}
      />
      <SwitcherList
        groups={groups}
        activeKey={activeItem?.key}
        onActivate={(item) => setActiveKey(item.key)}
        onRun={run}
      />
      {items.length === 0 && <NothingFound wanted={wanted} searching={searching} onCreate={createRoom} />}
      <SwitcherMessages wanted={wanted} onSearch={searchMessages} />
      <p className="visually-hidden" role="status">
        {wanted !== '' && text.switcher.found(items.length)}
      </p>
    </Dialog>
  );
}

interface NothingFoundProps {
  readonly wanted: string;
  readonly searching: boolean;
  readonly onCreate: () => void;
}

/** In place of the list. Once the server has nothing either, a room of this name can be made. */
function NothingFound({ wanted, searching, onCreate }: NothingFoundProps) {
  const text = useFullTexts();
  const { list } = useScreenTexts();
  return (
    <div className={styles.none}>
      <p>{searching ? list.searching : text.switcher.none}</p>
      {!searching && (
        <button type="button" className={styles.create} onClick={onCreate}>
          {list.createIt(wanted)}
        </button>
      )}
    </div>
  );
}

/** What the dialog was opened with. */
function typedInto(open: OpenDialog): string {
  return (open.kind === 'switcher' && open.query) || '';
}

/** The index of the item that a key leads to from there; null: the key leads nowhere. */
function indexAfter(key: string, active: number, last: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return active >= last ? 0 : active + 1;
    case 'ArrowUp':
      return active <= 0 ? Math.max(last, 0) : active - 1;
    case 'PageDown':
      return Math.max(0, Math.min(active + PAGE, last));
    case 'PageUp':
      return Math.max(active - PAGE, 0);
    default:
      return null;
  }
}
