import type { Message, Room, RoomState } from '../../../../client/index.ts';
import { shownState } from './shown-state.ts';
import { usePages } from './use-pages.ts';

/** The pages before what is shown, and those after it while it is apart from the end of the room. */
export function useTimelinePages(room: Room, state: RoomState, messages: readonly Message[]) {
  const { connections } = state;
  const older = usePages({
    read: () => (state.detached === null ? room.loadOlder() : room.loadDetached('older')),
    mayRead: () => {
      const { messages: held, hasOlder: hasMore } = shownState(room.state);
      return hasMore && held[0]?.id === state.messages[0]?.id;
    },
    connections,
  });
  const newer = usePages({
    read: () => room.loadDetached('newer'),
    mayRead: () => room.state.detached?.messages.at(-1)?.id === messages.at(-1)?.id,
    connections,
  });
  return { older, newer };
}
