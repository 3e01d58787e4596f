import { type FocusEvent, useMemo, useRef, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useFoldedGroups } from '../../stores/folded-groups.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRoom } from '../../stores/room.ts';
import { useRooms } from '../../stores/rooms.ts';
import { navigate } from '../../stores/route.ts';
import { LARGE_TARGETS, NARROW, useMedia } from '../../stores/use-media.ts';
import { IconButton } from '../../ui/Button.tsx';
import { ChevronIcon, PlusIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './RoomList.module.css';
import { RoomListSkeleton } from './RoomListSkeleton.tsx';
import { RoomRow } from './RoomRow.tsx';
import type { RoomEntry } from './room-entry.ts';
import type { GroupKind } from './room-groups.ts';
import { useGroups } from './use-groups.ts';
import { useListView } from './use-list-view.ts';
import { useRoomEntries } from './use-room-entries.ts';
import { useShownGroups, useShownRows } from './use-shown-groups.ts';
import { placeGroups, type RowRange, visibleRows } from './visible-rows.ts';

/** Not part of the first paint. */
const RoomListEmpty = lazyPart(async () => (await import('./RoomListEmpty.tsx')).RoomListEmpty);

/** The rooms of the user, those with a draft, and the open one. */
export function RoomList({ roomId }: { readonly roomId: number | null }) {
  const text = useText();
  const status = useRooms((store) => store.status);
  const rooms = useRoomEntries(roomId);
  const isCurrent = useOwnRooms((store) => store.isCurrent);
  const entries = useMemo(
    () => rooms.filter(({ id, isOwn, hasDraft }) => isOwn || hasDraft || id === roomId),
    [rooms, roomId],
  );

  const isUnknown = entries.length === 0 && !isCurrent && rooms.length > 0;
  if ((status === 'loading' && rooms.length === 0) || isUnknown)
    return <RoomListSkeleton label={text.sidebar.loading} />;
  if (rooms.length === 0) {
    return (
      <div className={`${styles.list} ${styles.none}`}>
        {status === 'ready' && <GroupHead kind="direct" isFolded={false} />}
        <RoomListEmpty hasFailed={status === 'failed'} />
      </div>
    );
  }
  return <Groups entries={entries} roomId={roomId} />;
}

interface GroupsProps {
  readonly entries: readonly RoomEntry[];
  readonly roomId: number | null;
}

/** The rooms in their groups. */
function Groups({ entries, roomId }: GroupsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isHeld, setHeld] = useState(false);
  const stale = useRooms((store) => store.stale);
  const line = useRoom(({ state }) => state?.connection.status);
  const isDown = line === 'waiting' || line === 'connecting';
  const isNarrow = useMedia(NARROW);
  const hasLargeTargets = useMedia(LARGE_TARGETS);
  const groups = useGroups(entries, isHeld);
  const shown = useShownGroups(groups, roomId);

  const rowPx = isNarrow ? 64 : hasLargeTargets ? 44 : 32;
  const headPx = hasLargeTargets ? 44 : 34;
  const places = placeGroups(
    shown.map(({ entries: list }) => list.length),
    { headPx, rowPx },
  );
  const current = { id: roomId, top: topOf(roomId, shown, places.starts, rowPx) };
  const view = useListView(box, rowPx, current);
  // A list that became shorter has not been scrolled yet.
  const top = Math.max(0, Math.min(view.top, places.total - view.height));

  useShownRows(shown);

  function onLeave(event: FocusEvent<HTMLElement>): void {
    if (!event.currentTarget.contains(event.relatedTarget)) setHeld(event.currentTarget.matches(':hover'));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches whether pointer or focus are within.
    <div
      ref={box}
      className={styles.list}
      data-stale={stale || isDown}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setHeld(true)}
      onPointerLeave={(event) => setHeld(event.currentTarget.contains(document.activeElement))}
      onFocus={() => setHeld(true)}
      onBlur={onLeave}
    >
      {shown.map(({ kind, isFolded, entries: list }, group) => {
        const rows = visibleRows({
          count: list.length,
          rowPx,
          top: top - (places.starts[group] ?? 0),
          height: view.height,
        });
        return (
          <section key={kind}>
            <GroupHead kind={kind} isFolded={isFolded} />
            {list.length > 0 && (
              <GroupRows
                kind={kind}
                entries={list}
                roomId={roomId}
                rows={rows}
                rowPx={rowPx}
                hasLast={isNarrow}
              />
            )}
          </section>
        );
      })}
    </div>
  );
}

interface GroupRowsProps {
  readonly kind: GroupKind;
  readonly entries: readonly RoomEntry[];
  readonly roomId: number | null;
  /** Those that are in the document. */
  readonly rows: RowRange;
  readonly rowPx: number;
  /** Whether a row shows the last message of its room. */
  readonly hasLast: boolean;
}

function GroupRows({ kind, entries, roomId, rows: { first, end }, rowPx, hasLast }: GroupRowsProps) {
  const text = useText();
  return (
    <ul
      aria-label={text.sidebar.groups[kind]}
      style={{ paddingBlock: `${first * rowPx}px ${(entries.length - end) * rowPx}px` }}
    >
      {entries.slice(first, end).map((entry, index) => (
        <RoomRow
          key={entry.id}
          entry={entry}
          current={entry.id === roomId}
          hasLast={hasLast}
          position={first + index + 1}
          size={entries.length}
        />
      ))}
    </ul>
  );
}

/** Where the row of a room begins; null when it is not among the rows. */
function topOf(
  roomId: number | null,
  groups: readonly { readonly entries: readonly RoomEntry[] }[],
  starts: readonly number[],
  rowPx: number,
): number | null {
  for (const [group, { entries }] of groups.entries()) {
    const index = entries.findIndex(({ id }) => id === roomId);
    if (index >= 0) return (starts[group] ?? 0) + index * rowPx;
  }
  return null;
}

/** The name of a group, which folds it. */
function GroupHead({ kind, isFolded }: { readonly kind: GroupKind; readonly isFolded: boolean }) {
  const text = useText();
  return (
    <h2 className={styles.head}>
      <button type="button" aria-expanded={!isFolded} onClick={() => useFoldedGroups.getState().toggle(kind)}>
        {text.sidebar.groups[kind]}
        <ChevronIcon size={14} />
      </button>
      {kind === 'rooms' && (
        <a
          href="/browse"
          className={styles.more}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            navigate('/browse');
          }}
        >
          {text.sidebar.browse}
        </a>
      )}
      {kind === 'direct' && (
        <IconButton
          label={text.sidebar.newMessage}
          className={styles.add}
          onClick={() => useDialogs.getState().show({ kind: 'new_dm' })}
        >
          <PlusIcon size={16} />
        </IconButton>
      )}
    </h2>
  );
}
