import { chat } from '../stores/chat.ts';
import { useRoom } from '../stores/room.ts';
import { refreshThreads, useThreads } from '../stores/threads.ts';

/** Changes that come together are read once. */
const GATHER_MS = 400;

/**
 * Keeps the followed threads up to date: at the start, after a reconnection, when a thread of the open room changes,
 * when a reply in another one calls for attention, and when another tab or device has read in a thread.
 */
export function followThreads(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(refreshThreads, GATHER_MS);
  };
  let endRoom: () => void = () => {};
  const follow = () => {
    endRoom();
    const { room } = useRoom.getState();
    const cancels = [
      room?.on('log', ({ states, delta }) => {
        if (delta?.type === 'thread' || states.some(({ thread_id }) => thread_id !== undefined)) later();
      }),
      room?.on('connection', ({ status }) => status === 'open' && later()),
    ];
    endRoom = () => {
      for (const cancel of cancels) cancel?.();
    };
  };
  const unfollow = useRoom.subscribe((now, before) => {
    if (now.room !== before.room) follow();
  });
  const { attention } = chat();
  const ends = [
    attention.on('thread_follow', later),
    attention.on('notify', ({ reason }) => reason === 'thread' && later()),
    unfollow,
  ];
  // An earlier user's.
  useThreads.setState({ followed: null, hasFailed: false });
  follow();
  later();
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
    endRoom();
  };
}
