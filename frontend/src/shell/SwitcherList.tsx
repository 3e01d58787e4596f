import { useEffect } from 'react';
import { type FullTexts, useFullTexts } from '../i18n/screens.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { useRooms } from '../stores/rooms.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Door } from '../ui/Door.tsx';
import { CommandIcon } from '../ui/late-icons.tsx';
import base from '../ui/Option.module.css';
import { PairAvatar } from '../ui/PairAvatar.tsx';
import { UnreadBadge } from '../ui/UnreadBadge.tsx';
import styles from './QuickSwitcher.module.css';
import type { SwitcherGroup, SwitcherItem } from './switcher-items.ts';

interface SwitcherListProps {
  readonly groups: readonly SwitcherGroup[];
  readonly activeKey: string | undefined;
  readonly onActivate: (item: SwitcherItem) => void;
  readonly onRun: (item: SwitcherItem) => void;
}

/** The results in groups. The focus stays in the input, which names the active option. */
export function SwitcherList({ groups, activeKey, onActivate, onRun }: SwitcherListProps) {
  const text = useFullTexts();

  useEffect(() => {
    if (activeKey === undefined) return;
    document.getElementById(`switcher-${activeKey}`)?.scrollIntoView({ block: 'nearest' });
  }, [activeKey]);

  return (
    <div id="switcher-list" className={styles.list} role="listbox" aria-label={text.sidebar.results}>
      {groups.map(({ kind, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a group of options.
        <div key={kind} role="group" aria-labelledby={`switcher-${kind}`}>
          <p id={`switcher-${kind}`} className={styles.heading} role="presentation">
            {groupName(text, kind)}
          </p>
          {items.map((item) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys.
            <div
              key={item.key}
              id={optionId(item)}
              role="option"
              tabIndex={-1}
              aria-selected={item.key === activeKey}
              className={`${base.option} ${styles.option}`}
              // Only a move activates: a list that changes beneath a resting pointer does not.
              onPointerMove={() => onActivate(item)}
              onClick={() => onRun(item)}
            >
              <Option item={item} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

export function optionId(item: SwitcherItem): string {
  return `switcher-${item.key}`;
}

function Option({ item }: { readonly item: SwitcherItem }) {
  const unread = item.kind === 'room' ? item.unread : 0;
  const isPersonal = useOwnRooms(({ rooms }) => {
    const own = item.kind === 'room' ? rooms.get(item.roomId) : undefined;
    return own !== undefined && (own.room.kind === 'dm' || own.mentions > 0);
  });
  return (
    <>
      <Face item={item} />
      <span className={styles.label} data-unread={unread > 0}>
        {item.label.map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name.
          part.isMatch ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
        )}
      </span>
      <UnreadBadge count={unread} personal={isPersonal} />
    </>
  );
}

function Face({ item }: { readonly item: SwitcherItem }) {
  switch (item.kind) {
    case 'room':
      return (
        <RoomFace
          roomId={item.roomId}
          name={item.label.map((part) => part.text).join('')}
          isUnread={item.unread > 0}
        />
      );
    case 'person':
      return <Avatar size="tiny" userId={item.userId} username={item.username} />;
    case 'command':
      return <CommandIcon />;
  }
}

/** The door of a room, ajar when something is unread; for a direct conversation, its people. */
function RoomFace({
  roomId,
  name,
  isUnread,
}: {
  readonly roomId: number;
  readonly name: string;
  readonly isUnread: boolean;
}) {
  const room = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));
  const [person, ...others] = (room?.kind === 'dm' && room.people) || [];
  if (person === undefined) {
    return (
      <Door
        size="row"
        roomId={roomId}
        name={name}
        emoji={room?.emoji ?? null}
        hue={room?.hue}
        isAjar={isUnread}
      />
    );
  }
  if (others.length === 0) return <Avatar size="tiny" userId={person.user_id} username={person.username} />;
  return (
    <PairAvatar
      size="row"
      people={[person, ...others].map(({ user_id, username }) => ({ id: user_id, username }))}
    />
  );
}

function groupName(text: FullTexts, kind: SwitcherGroup['kind']): string {
  switch (kind) {
    case 'unread':
      return text.switcher.unread;
    case 'rooms':
      return text.switcher.rooms;
    case 'people':
      return text.switcher.people;
    case 'commands':
      return text.switcher.commands;
  }
}
