import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import type { RoomInfo, User } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { useRooms } from '../../stores/rooms.ts';
import { hidePanel, type Panel, showPanel } from '../../stores/route.ts';
import { NARROW, useMedia } from '../../stores/use-media.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import frame from '../../ui/Panel.module.css';
import scroller from '../../ui/Scroller.module.css';
import { Tabs } from '../../ui/Tabs.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { AboutTab } from './AboutTab.tsx';
import { InvitesTab } from './InvitesTab.tsx';
import { MembersTab } from './MembersTab.tsx';
import { NotificationsTab } from './NotificationsTab.tsx';
import { PinsTab } from './PinsTab.tsx';
import styles from './RoomPanel.module.css';
import { useModeration } from './use-moderation.ts';

type Tab = Exclude<Panel, 'people'>;

interface RoomPanelProps {
  readonly roomId: number;
  readonly panel: Tab;
  readonly user: User;
  /** The user opened it just now. */
  readonly takesFocus: boolean;
}

const TABS: readonly Tab[] = ['about', 'pins', 'members', 'invites', 'notifications'];
const ModerationTab = lazyPart(async () => (await import('./ModerationTab.tsx')).ModerationTab);

/** The settings of the room beside it, in parts; on a narrow screen in its place. */
export function RoomPanel({ roomId, panel, user, takesFocus }: RoomPanelProps) {
  const texts = useScreenTexts();
  const box = useRef<HTMLElement>(null);
  const load = useCallback(() => chat().api.findRoom(roomId), [roomId]);
  const { loaded, reload, set } = useLoaded(load);
  const { mayModerate, open, setOpen } = useModeration(loaded.status === 'ready' ? loaded.value : null);
  const Title = useMedia(NARROW) ? 'h1' : 'h2';

  useEffect(() => {
    if (takesFocus || window.matchMedia(NARROW).matches) box.current?.querySelector('button')?.focus();
  }, [takesFocus]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    hidePanel(roomId);
    document.querySelector<HTMLElement>('[data-region=header] h1 button')?.focus();
  }

  function changed(room: RoomInfo): void {
    set(room);
    void useRooms.getState().refresh();
  }

  return (
    <section
      ref={box}
      className={frame.panel}
      aria-label={texts.room.title}
      data-region="people"
      onKeyDown={onKeyDown}
    >
      <div className={frame.head}>
        <Title>{texts.room.title}</Title>
        <IconButton label={texts.close} onClick={() => hidePanel(roomId)}>
          <CloseIcon />
        </IconButton>
      </div>
      <Tabs
        label={texts.room.tabs}
        names={mayModerate || panel === 'moderation' ? [...TABS, 'moderation'] : TABS}
        chosen={panel}
        id="room-tab"
        className={styles.tabs}
        textOf={(tab) => (tab === 'moderation' ? texts.moderate.tab(open) : texts.room[tab])}
        onChoose={(tab) => showPanel(roomId, tab)}
      />
      <div
        id="room-tab-panel"
        className={`${scroller.scroller} ${styles.content}`}
        role="tabpanel"
        aria-labelledby={`room-tab-${panel}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer it is scrolled with the keyboard.
        tabIndex={0}
      >
        <WhenLoaded loaded={loaded} onRetry={reload}>
          {(room) => {
            if (room === null) return null;
            if (panel !== 'moderation')
              return <TabContent tab={panel} room={room} user={user} onChanged={changed} />;
            return mayModerate === false ? (
              <Empty title={texts.moderate.notModerator} />
            ) : (
              mayModerate && <ModerationTab roomId={roomId} onOpen={setOpen} />
            );
          }}
        </WhenLoaded>
      </div>
    </section>
  );
}

interface TabContentProps {
  readonly tab: Exclude<Tab, 'moderation'>;
  readonly room: RoomInfo;
  readonly user: User;
  readonly onChanged: (room: RoomInfo) => void;
}

function TabContent({ tab, room, user, onChanged }: TabContentProps) {
  switch (tab) {
    case 'about':
      return <AboutTab key={room.id} room={room} onChanged={onChanged} />;
    case 'pins':
      return <PinsTab room={room} />;
    case 'members':
      return <MembersTab room={room} user={user} />;
    case 'invites':
      return <InvitesTab room={room} />;
    case 'notifications':
      return <NotificationsTab room={room} />;
  }
}
