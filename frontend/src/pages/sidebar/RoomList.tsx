import { type FocusEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { chat } from '../../stores/chat.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useFoldedGroups } from '../../stores/folded-groups.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRoom } from '../../stores/room.ts';
import { useRooms } from '../../stores/rooms.ts';
import { navigate } from '../../stores/route.ts';
import { useShownRooms } from '../../stores/shown-rooms.ts';
import { LARGE_TARGETS, NARROW, useMedia } from '../../stores/use-media.ts';
import { IconButton } from '../../ui/Button.tsx';
import { ChevronIcon, PlusIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './RoomList.module.css';
import { RoomListSkeleton } from './RoomListSkeleton.tsx';
import { RoomRow } from './RoomRow.tsx';
import type { RoomEntry } from './room-entry.ts';
import { GROUP_KINDS, type GroupKind } from './room-groups.ts';
import { useGroups } from './use-groups.ts';
import { useListView } from './use-list-view.ts';
import { useRoomEntries } from './use-room-entries.ts';
import { placeGroups, visibleRows } from './visible-rows.ts';

/** Not part of the first paint. */
const RoomListEmpty = lazyPart(async () => (await import('./RoomListEmpty.tsx')).RoomListEmpty);

/** How many rooms of each group have exact counts. */
const LOOKED_AT = 40;

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
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  const [isHeld, setHeld] = useState(false);
  const stale = useRooms((store) => store.stale);
  const folded = useFoldedGroups((store) => store.folded);
  const line = useRoom(({ state }) => state?.connection.status);
  const isDown = line === 'waiting' || line === 'connecting';
  const isNarrow = useMedia(NARROW);
  const hasLargeTargets = useMedia(LARGE_TARGETS);
  const groups = useGroups(entries, isHeld);
  const shown = useMemo(() => {
    // The heads of the rooms and of the people lead to others, so they are always there.
    const kinds = GROUP_KINDS.filter(
      (kind) => kind === 'rooms' || kind === 'direct' || groups.some((group) => group.kind === kind),
    );
    return kinds.map((kind) => {
      const all = groups.find((group) => group.kind === kind)?.entries ?? [];
      const isFolded = folded.includes(kind);
      // The open room is never out of sight.
      return { kind, isFolded, entries: isFolded ? all.filter(({ id }) => id === roomId) : all };
    });
  }, [groups, folded, roomId]);

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

  useLayoutEffect(() => {
    useShownRooms.setState({ ids: shown.flatMap(({ entries: list }) => list.map(({ id }) => id)) });
  }, [shown]);

  // What the rows show is counted by the server where this device cannot count it.
  useEffect(() => {
    chat().rooms.look(shown.flatMap(({ entries: list }) => list.slice(0, LOOKED_AT).map(({ id }) => id)));
  }, [shown]);

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
        const { first, end } = visibleRows({
          count: list.length,
          rowPx,
          top: top - (places.starts[group] ?? 0),
          height: view.height,
        });
        return (
          <section key={kind}>
            <GroupHead kind={kind} isFolded={isFolded} />
            {list.length > 0 && (
              <ul
                aria-label={text.sidebar.groups[kind]}
                style={{ paddingBlock: `${first * rowPx}px ${(list.length - end) * rowPx}px` }}
              >
                {list.slice(first, end).map((entry, index) => (
                  <RoomRow
                    key={entry.id}
                    entry={entry}
                    current={entry.id === roomId}
                    hasLast={isNarrow}
                    position={first + index + 1}
                    size={list.length}
                  />
                ))}
              </ul>
            )}
          </section>
        );
      })}
    </div>
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
