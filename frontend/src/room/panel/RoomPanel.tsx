import { type KeyboardEvent, useCallback, useRef } from 'react';
import type { ReportsPage, RoomInfo, User } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { useRooms } from '../../stores/rooms.ts';
import { hidePanel, type Panel, showParts } from '../../stores/route.ts';
import { Empty } from '../../ui/Empty.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import frame from '../../ui/Panel.module.css';
import { PanelHead } from '../../ui/PanelHead.tsx';
import scroller from '../../ui/Scroller.module.css';
import { useLoaded } from '../../ui/use-loaded.ts';
import { AboutTab } from './AboutTab.tsx';
import { InvitesTab } from './InvitesTab.tsx';
import { MembersTab } from './MembersTab.tsx';
import { NotificationsTab } from './NotificationsTab.tsx';
import { PartList } from './PartList.tsx';
import { PinsTab } from './PinsTab.tsx';
import { PARTS, type Part } from './parts.ts';
import styles from './RoomPanel.module.css';
import { useModeration } from './use-moderation.ts';
import { usePanelFocus } from './use-panel-focus.ts';

interface RoomPanelProps {
  readonly roomId: number;
  /** `settings`: the list of the parts. */
  readonly panel: Exclude<Panel, 'people'>;
  readonly user: User;
  /** The user opened it just now. */
  readonly takesFocus: boolean;
}

const FilesTab = lazyPart(async () => (await import('./FilesTab.tsx')).FilesTab);
const ModerationTab = lazyPart(async () => (await import('./ModerationTab.tsx')).ModerationTab);

/** The settings of the room beside it, a list of parts that leads to each; on a narrow screen in its place. */
export function RoomPanel({ roomId, panel, user, takesFocus }: RoomPanelProps) {
  const texts = useScreenTexts();
  const box = useRef<HTMLElement>(null);
  const load = useCallback(() => chat().api.findRoom(roomId), [roomId]);
  const { loaded, reload, set } = useLoaded(load);
  const { mayModerate, open, setOpen } = useModeration(loaded.status === 'ready' ? loaded.value : null);
  const name = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId)?.name);
  const isList = panel === 'settings';

  usePanelFocus(box, panel, takesFocus);

  const close = () => hidePanel(roomId);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // It closes the dialog that was opened from here.
    if (event.target instanceof Element && event.target.closest('dialog') !== null) return;
    event.preventDefault();
    close();
  }

  function changed(room: RoomInfo): void {
    set(room);
    void useRooms.getState().refresh();
  }

  function titleOf(part: Part): string {
    return part === 'moderation' ? texts.moderate.tab(open) : texts.room[part];
  }

  return (
    <section
      ref={box}
      className={frame.panel}
      aria-label={texts.room.title}
      data-region="people"
      onKeyDown={onKeyDown}
    >
      <PanelHead
        title={isList ? texts.room.title : titleOf(panel)}
        note={name}
        onBack={isList ? undefined : () => showParts(roomId)}
        onClose={close}
      />
      <section
        key={panel}
        className={`${scroller.scroller} ${styles.content}`}
        aria-label={isList ? texts.room.parts : titleOf(panel)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer it is scrolled with the keyboard.
        tabIndex={0}
      >
        {isList ? (
          <PartList
            roomId={roomId}
            parts={mayModerate ? [...PARTS, 'moderation'] : PARTS}
            titleOf={titleOf}
          />
        ) : (
          <WhenLoaded loaded={loaded} onRetry={reload}>
            {(room) =>
              room && <PartContent part={panel} room={room} {...{ user, mayModerate, changed, setOpen }} />
            }
          </WhenLoaded>
        )}
      </section>
    </section>
  );
}

interface PartContentProps {
  readonly part: Part;
  readonly room: RoomInfo;
  readonly user: User;
  /** Null: not known yet. */
  readonly mayModerate: boolean | null;
  readonly changed: (room: RoomInfo) => void;
  /** Told the open reports. */
  readonly setOpen: (page: ReportsPage) => void;
}

function PartContent({ part, room, user, mayModerate, changed, setOpen }: PartContentProps) {
  const { moderate: texts } = useScreenTexts();
  switch (part) {
    case 'about':
      return <AboutTab key={room.id} room={room} onChanged={changed} />;
    case 'pins':
      return <PinsTab room={room} />;
    case 'files':
      return <FilesTab roomId={room.id} />;
    case 'members':
      return <MembersTab room={room} user={user} />;
    case 'invites':
      return <InvitesTab room={room} />;
    case 'notifications':
      return <NotificationsTab room={room} />;
    case 'moderation':
      if (mayModerate === false) return <Empty title={texts.notModerator} />;
      return mayModerate && <ModerationTab roomId={room.id} onOpen={setOpen} />;
  }
}
