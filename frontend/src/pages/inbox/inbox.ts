/** The user's inbox while its page is shown; the badge in the sidebar is counted with the rooms. */
import { create } from 'zustand';
import { type InboxPage, notificationsApi, threadsApi } from '../../../../client/index.ts';
import { INBOX_PAGE } from '../../../../protocol/limits.ts';
import { readPage } from '../../stores/cache/database.ts';
import { keepPage } from '../../stores/cache/last-seen.ts';
import { chat } from '../../stores/chat.ts';
import { onRoomsLost, useOwnRooms } from '../../stores/own-rooms.ts';
import { useThreadMarks } from '../../stores/thread-marks.ts';

export type InboxEntry = InboxPage['entries'][number];

interface InboxStore {
  readonly userId: number | null;
  /** The latest first; null: not loaded yet. */
  readonly entries: readonly InboxEntry[] | null;
  readonly hasMore: boolean;
  readonly hasFailed: boolean;
}

const EMPTY: InboxStore = { userId: null, entries: null, hasMore: false, hasFailed: false };

export const useInbox = create<InboxStore>(() => EMPTY);

/** Entries that come together are read once. */
const GATHER_MS = 200;

let isReading = false;
let isStale = false;
/** Ends the watch for lost rooms, which goes on between two visits. */
let endDropping: () => void = () => {};

/** Keeps the inbox up to date. Returns the function that ends that; the entries stay for the next visit. */
export function syncInbox(): () => void {
  const { user, notifications } = chat();
  if (useInbox.getState().userId !== user?.id) useInbox.setState({ ...EMPTY, userId: user?.id ?? null });
  if (user !== null) void restore(user.id);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = notifications.on('inbox', ({ message_id: id, removed }) => {
    if (removed) {
      const entries = useInbox.getState().entries?.filter(({ message }) => message.id !== id) ?? null;
      useInbox.setState({ entries });
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(refreshInbox, GATHER_MS);
  });
  // After a reconnection. Its list may be a new one, without the entries that came meanwhile.
  const unsubscribe = useOwnRooms.subscribe(({ isCurrent }, before) => {
    if (isCurrent && !before.isCurrent) refreshInbox();
  });
  endDropping();
  // Between two visits, too. What may still be read of a public room that was left comes with the next read.
  endDropping = onRoomsLost((lost) => {
    const entries = useInbox.getState().entries?.filter(({ message }) => !lost.has(message.room_id)) ?? null;
    useInbox.setState({ entries });
  });
  const unhear = onRoomsLost(refreshInbox);
  refreshInbox();
  return () => {
    unhear();
    clearTimeout(timer);
    cancel();
    unsubscribe();
  };
}

/** Reads the latest entries again. Calls during a read lead to one more. */
export function refreshInbox(): void {
  isStale = true;
  if (!isReading) void readLatest();
}

interface LastSeenInbox {
  readonly entries: readonly InboxEntry[];
  readonly hasMore: boolean;
}

/** Shows the entries last seen on this device, until there are newer ones. */
async function restore(userId: number): Promise<void> {
  const kept = await readPage<LastSeenInbox>(userId, 'inbox').catch(() => null);
  useInbox.setState((store) =>
    kept !== null && store.userId === userId && store.entries === null ? kept : store,
  );
}

function keep({ userId, entries, hasMore }: InboxStore): void {
  if (userId === null || entries === null) return;
  const kept: LastSeenInbox = {
    entries: entries.slice(0, INBOX_PAGE.default),
    hasMore: hasMore || entries.length > INBOX_PAGE.default,
  };
  keepPage(userId, 'inbox', kept);
}

async function readLatest(): Promise<void> {
  isReading = true;
  while (isStale) {
    isStale = false;
    await read(useInbox.getState().userId, undefined);
  }
  isReading = false;
}

/**
 * The user has opened an entry of a room that they are not in. There is no read mark in such a room: the message is
 * read as a thread is (docs/decisions/0062-read-without-a-membership.md).
 */
export function markOpened({
  room_id: roomId,
  id,
  thread_id: threadId = id,
  seq,
}: InboxEntry['message']): void {
  const { read } = threadsApi(chat().api.requests);
  void read(roomId, threadId, seq).catch(() => {});
}

/** What this device knows of the mark is later than what the page of the inbox said. */
export function isEntryRead({ message, read }: InboxEntry): boolean {
  const { id, room_id: roomId, seq, thread_id: threadId } = message;
  const roomMark = useOwnRooms.getState().rooms.get(roomId)?.readSeq;
  if (threadId === undefined && roomMark !== undefined) return seq <= roomMark;
  return read || seq <= (useThreadMarks.getState().marks.get(threadId ?? id) ?? 0);
}

/** Adds the entries before the last one. */
export async function readMore(): Promise<void> {
  const { userId, entries } = useInbox.getState();
  const last = entries?.at(-1);
  if (last !== undefined) await read(userId, last.message.id);
}

async function read(userId: number | null, beforeId: number | undefined): Promise<void> {
  const limit = INBOX_PAGE.default;
  try {
    const page = await notificationsApi(chat().api.requests).inbox({
      limit,
      ...(beforeId !== undefined && { beforeId }),
    });
    useInbox.setState((store) => (store.userId === userId ? withPage(store, page, beforeId) : store));
    keep(useInbox.getState());
  } catch {
    useInbox.setState((store) => (store.userId === userId ? { hasFailed: true } : store));
  }
}

/** What is held, with a page of the server in the place of the entries that it covers. */
function withPage(store: InboxStore, page: InboxPage, beforeId: number | undefined): Partial<InboxStore> {
  const held = store.entries ?? [];
  const newer = beforeId === undefined ? [] : held.filter(({ message }) => message.id >= beforeId);
  const end = page.entries.at(-1)?.message.id;
  const older = page.has_more && end !== undefined ? held.filter(({ message }) => message.id < end) : [];
  const hasMore = older.length > 0 ? store.hasMore : page.has_more;
  return { entries: [...newer, ...page.entries, ...older], hasMore, hasFailed: false };
}
