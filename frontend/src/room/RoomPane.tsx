import { useCallback, useRef, useState } from 'react';
import type { RoomInfo, User } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { draftKey } from '../stores/device.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { isRoomGone, useRoom } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';
import { type RouteTarget, useRoute } from '../stores/route.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Composer } from './composer/Composer.tsx';
import type { ComposerHandle } from './composer/ComposerBox.tsx';
import { RoomHeader } from './header/RoomHeader.tsx';
import { roomParts } from './load-parts.ts';
import styles from './RoomPane.module.css';
import { Timeline } from './timeline/Timeline.tsx';
import type { TimelineHandle } from './timeline/timeline-props.ts';
import { useSilence } from './use-silence.ts';

/** It waits for 2 s anyway. */
const ConnectionBanner = lazyPart(async () => (await roomParts()).ConnectionBanner);
const RoomGone = lazyPart(async () => (await roomParts()).RoomGone);
const RouteJump = lazyPart(async () => (await roomParts()).RouteJump);
const KeptDraft = lazyPart(async () => (await roomParts()).KeptDraft);
const MutedBar = lazyPart(async () => (await roomParts()).MutedBar);
const NotMemberBar = lazyPart(async () => (await roomParts()).NotMemberBar);

interface RoomPaneProps {
  readonly roomId: number;
  readonly user: User;
}

/** The same each time, so that the header renders nothing anew. */
const NOBODY: NonNullable<RoomInfo['people']> = [];

/** The room that is open. */
export function RoomPane({ roomId, user }: RoomPaneProps) {
  const text = useText();
  const { room, state } = useRoom();
  const composer = useRef<ComposerHandle>(null);
  const timeline = useRef<TimelineHandle>(null);
  const info = useRooms((store) => store.rooms.find((room) => room.id === roomId));
  const name = info?.name;
  const edit = useCallback((content: string) => composer.current?.edit(content), []);
  const leaveTimeline = useCallback(() => composer.current?.focus(), []);
  const isOutside =
    useOwnRooms(({ rooms, wasCurrent }) => wasCurrent && !rooms.has(roomId)) && info?.kind === 'public';
  const { isMuted, until, look } = useSilence(roomId);
  const [person = null, ...others] = (info?.kind === 'dm' && info.people) || [];
  const title = name ?? text.room.unnamed(roomId);
  // A room that opens at a message shows nothing else before, and gives it the focus; beside a thread one writes there.
  const [opened] = useState(openedAt);
  const [isOpening, setOpening] = useState(opened === 'message');
  const settle = useCallback(() => setOpening(false), []);

  if (room === null || state === null || state.roomId !== roomId) return null;
  if (isRoomGone({ state })) return <RoomGone state={state} />;
  return (
    <div className={styles.pane}>
      <RoomHeader
        name={title}
        topic={info?.topic ?? ''}
        emoji={info?.emoji ?? null}
        hue={info?.hue ?? null}
        members={info?.members ?? null}
        person={others.length === 0 ? person : null}
        people={(info?.kind === 'dm' && info.people) || NOBODY}
        roomId={roomId}
        connection={state.connection}
        wasOpen={state.connections > 0}
        online={state.online}
        users={state.users}
      />
      <ConnectionBanner state={state} onRetry={() => room.retryNow()} />
      <RouteJump room={room} onSettled={settle} />
      <Timeline
        ref={timeline}
        state={state}
        room={room}
        name={title}
        user={user}
        isJumping={isOpening && state.jump.target === null}
        onEdit={edit}
        onLeave={leaveTimeline}
      />
      {(isOutside || info?.archived) && info !== undefined && (
        <div className={styles.notMember}>
          <NotMemberBar room={info} />
        </div>
      )}
      {isMuted && <MutedBar roomId={roomId} until={until} onOver={look} />}
      {info?.archived === true || isMuted ? (
        <KeptDraft draftKey={draftKey(user.id, roomId)} />
      ) : (
        <div className={styles.composer} data-region="composer">
          <Composer
            ref={composer}
            room={room}
            roomName={title}
            roomId={roomId}
            userId={user.id}
            typing={state.typing}
            takesFocus={!opened}
            onPage={(step) => timeline.current?.page(step)}
          />
        </div>
      )}
    </div>
  );
}

function openedAt(): RouteTarget['kind'] | undefined {
  const { route } = useRoute.getState();
  return route.page === 'room' ? route.target?.kind : undefined;
}
