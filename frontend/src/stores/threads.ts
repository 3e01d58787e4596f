/** The threads that the user follows, as the server counts them. */
import { create } from 'zustand';
import { type FollowedThreads, type ThreadState, threadsApi } from '../../../client/index.ts';
import { readPage } from './cache/database.ts';
import { keepPage } from './cache/last-seen.ts';
import { chat } from './chat.ts';

interface ThreadsStore {
  /** That with the latest reply first; null: not loaded yet. */
  readonly followed: FollowedThreads['threads'] | null;
  readonly hasFailed: boolean;
  /** The thread that is shown beside its room. */
  readonly open: ThreadState | null;
}

export const useThreads = create<ThreadsStore>(() => ({ followed: null, hasFailed: false, open: null }));

let isReading = false;
let isStale = false;

/** Reads the list again. Calls during a read lead to one more. */
export function refreshThreads(): void {
  isStale = true;
  if (isReading) return;
  isReading = true;
  void readAll().finally(() => {
    isReading = false;
  });
}

async function readAll(): Promise<void> {
  while (isStale) {
    isStale = false;
    try {
      const { user } = chat();
      const followed = await threadsApi(chat().api.requests).followed();
      useThreads.setState({ followed, hasFailed: false });
      if (user !== null) keepPage(user.id, 'threads', followed);
    } catch {
      useThreads.setState({ hasFailed: true });
    }
  }
}

/** Shows the threads last seen on this device, until there is a newer list. */
export async function restoreThreads(): Promise<void> {
  const { user } = chat();
  if (user === null) return;
  const followed = await readPage<FollowedThreads['threads']>(user.id, 'threads').catch(() => null);
  if (followed !== null && chat().user?.id === user.id && useThreads.getState().followed === null)
    useThreads.setState({ followed });
}

/** The user is done with a thread: all its replies so far are read. */
export function markThreadRead({ root }: FollowedThreads['threads'][0]): void {
  const last = root.thread?.last_seq;
  if (last === undefined) return;
  const { followed } = useThreads.getState();
  const read = followed?.map((one) =>
    one.root.id === root.id ? { ...one, read_seq: last, unread: 0 } : one,
  );
  useThreads.setState({ followed: read ?? null });
  // A read that fails leaves the thread unread: the list says so.
  void threadsApi(chat().api.requests).read(root.room_id, root.id, last).catch(refreshThreads);
}

/** How many followed threads have new replies. */
export function newThreads({ followed }: ThreadsStore): number {
  return followed?.filter(({ unread }) => unread > 0).length ?? 0;
}
