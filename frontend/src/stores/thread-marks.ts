/** How far the user has read each thread: a reply is read with its thread, and not with its room. */
import { create } from 'zustand';
import { chat } from './chat.ts';
import { useOwnRooms } from './own-rooms.ts';
import { useThreads } from './threads.ts';

/** A message's number, and the thread in which it is a reply. */
export interface FlowPlace {
  readonly seq: number;
  readonly threadId?: number | undefined;
}

interface ThreadMarks {
  /** By thread, as far as this page has heard. */
  readonly marks: ReadonlyMap<number, number>;
}

const MAX_MARKS = 1000;

export const useThreadMarks = create<ThreadMarks>(() => ({ marks: new Map() }));

/** Keeps up with what any device of the user reads. Returns the function that ends that. */
export function syncThreadMarks(): () => void {
  useThreadMarks.setState({ marks: new Map() });
  const addFollowed = () =>
    add((useThreads.getState().followed ?? []).map(({ root, read_seq: readSeq }) => [root.id, readSeq]));
  const cancel = chat().notifications.on('thread_follow', (mark) => add([[mark.thread_id, mark.read_seq]]));
  const unsubscribe = useThreads.subscribe(({ followed }, before) => {
    if (followed !== before.followed) addFollowed();
  });
  addFollowed();
  return () => {
    cancel();
    unsubscribe();
  };
}

/** Marks only rise, so a list that comes late takes nothing back. */
function add(marks: readonly (readonly [threadId: number, readSeq: number])[]): void {
  const before = useThreadMarks.getState().marks;
  const higher = marks.filter(([threadId, readSeq]) => readSeq > (before.get(threadId) ?? 0));
  if (higher.length === 0) return;
  useThreadMarks.setState({ marks: new Map([...before, ...higher].slice(-MAX_MARKS)) });
}

/** Whether a message has been read in its own flow, as far as this page knows. */
export function hasRead(roomId: number, { seq, threadId }: FlowPlace): boolean {
  const mark =
    threadId === undefined
      ? useOwnRooms.getState().rooms.get(roomId)?.readSeq
      : useThreadMarks.getState().marks.get(threadId);
  return seq <= (mark ?? 0);
}
