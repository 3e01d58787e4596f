import { useEffect, useState } from 'react';
import { type Room, RoomThread, type ThreadState, threadsApi } from '../../../../client/index.ts';
import { chat } from '../../stores/chat.ts';
import { useThreads } from '../../stores/threads.ts';

interface OpenThread {
  readonly thread: RoomThread | null;
  readonly state: ThreadState | null;
  readonly hasFailed: boolean;
}

/** A thread of the room, live for as long as it is shown. */
export function useThread(room: Room | null, threadId: number): OpenThread {
  const [open, setOpen] = useState<OpenThread>({ thread: null, state: null, hasFailed: false });
  useEffect(() => {
    if (room === null) return;
    const { api: chatApi, notifications } = chat();
    const api = threadsApi(chatApi.requests);
    const thread = new RoomThread({
      room,
      api,
      notifications,
      threadId,
      onChange(state) {
        useThreads.setState({ open: state });
        setOpen((before) => ({ ...before, state, hasFailed: state === null }));
      },
    });
    setOpen({ thread, state: thread.state, hasFailed: false });
    return () => {
      thread.close();
      useThreads.setState({ open: null });
    };
  }, [room, threadId]);
  return open;
}
