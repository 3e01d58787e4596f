import { type FocusEvent, useMemo, useRef, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRoom } from '../../stores/room.ts';
import { useRooms } from '../../stores/rooms.ts';
import { isTouch } from '../../stores/use-media.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { GroupHead, MoreButton } from './GroupHead.tsx';
import styles from './RoomList.module.css';
import { RoomListSkeleton } from './RoomListSkeleton.tsx';
import { RoomRow } from './RoomRow.tsx';
import type { RoomEntry } from './room-entry.ts';
import type { GroupKind } from './room-groups.ts';
import { hasLastLine, heightOf, type ListShape, useListShape } from './row-heights.ts';
import { useGroups } from './use-groups.ts';
import { useListView } from './use-list-view.ts';
import { useRoomEntries } from './use-room-entries.ts';
import { type ShownGroup, useShownGroups, useShownRows } from './use-shown-groups.ts';
import { placeGroups, rowStarts, visibleRows } from './visible-rows.ts';

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
  const { shape, heights } = useListShape();
  const groups = useGroups(entries, isHeld);
  const shown = useShownGroups(groups, roomId);

  const starts = useMemo(
    () => shown.map(({ entries: list }) => rowStarts(list.map((entry) => heightOf(entry, shape, heights)))),
    [shown, shape, heights],
  );
  const places = placeGroups(
    shown.map(({ more }, group) => (starts[group]?.at(-1) ?? 0) + (more === null ? 0 : heights.row)),
    heights.head,
  );
  const current = { id: roomId, top: topOf(roomId, shown, places.starts, starts) };
  const view = useListView(box, heights.row, current);
  // A list that became shorter has not been scrolled yet.
  const top = Math.max(0, Math.min(view.top, places.total - view.height));

  useShownRows(shown);

  function onLeave(event: FocusEvent<HTMLElement>): void {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    // A finger that was lifted still counts as hovering.
    setHeld(!isTouch() && event.currentTarget.matches(':hover'));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches whether pointer or focus are within.
    <div
      ref={box}
      className={styles.list}
      data-stale={stale || isDown}
      data-scrolled={top > 0}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setHeld(true)}
      onPointerLeave={(event) => setHeld(event.currentTarget.querySelector(':focus-visible') !== null)}
      onFocus={() => setHeld(true)}
      onBlur={onLeave}
    >
      {shown.map(({ kind, isFolded, entries: list, more }, group) => (
        <section key={kind}>
          <GroupHead kind={kind} isFolded={isFolded} />
          {list.length > 0 && (
            <GroupRows
              kind={kind}
              entries={list}
              roomId={roomId}
              starts={starts[group] ?? [0]}
              top={top - (places.starts[group] ?? 0)}
              height={view.height}
              shape={shape}
            />
          )}
          {more !== null && <MoreButton more={more} />}
        </section>
      ))}
    </div>
  );
}

interface GroupRowsProps {
  readonly kind: GroupKind;
  readonly entries: readonly RoomEntry[];
  readonly roomId: number | null;
  /** As by `rowStarts`. */
  readonly starts: readonly number[];
  /** How far the first row is above the upper edge of the list. */
  readonly top: number;
  /** That of the list. */
  readonly height: number;
  readonly shape: ListShape;
}

/** The rows of a group. Only those in sight, or nearly so, are in the document. */
function GroupRows({ kind, entries, roomId, starts, top, height, shape }: GroupRowsProps) {
  const text = useText();
  const { first, end } = visibleRows({ starts, top, height });
  const above = starts[first] ?? 0;
  const below = (starts.at(-1) ?? 0) - (starts[end] ?? 0);
  return (
    <ul aria-label={text.sidebar.groups[kind]} style={{ paddingBlock: `${above}px ${below}px` }}>
      {entries.slice(first, end).map((entry, index) => (
        <RoomRow
          key={entry.id}
          entry={entry}
          current={entry.id === roomId}
          hasLast={hasLastLine(entry, shape)}
          shape={shape}
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
  groups: readonly ShownGroup[],
  starts: readonly number[],
  rows: readonly (readonly number[])[],
): number | null {
  for (const [group, { entries }] of groups.entries()) {
    const index = entries.findIndex(({ id }) => id === roomId);
    if (index >= 0) return (starts[group] ?? 0) + (rows[group]?.[index] ?? 0);
  }
  return null;
}
