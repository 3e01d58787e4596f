import { hasRead } from '../../stores/thread-marks.ts';
import type { Shown } from './device-push.ts';

const ROOM_TAG = /^room ([1-9][0-9]*)$/;

/** Whether a notification is about a message that has been read: with its thread, or else with its room. */
export function isRead({ tag, seq, threadId }: Pick<Shown, 'tag' | 'seq' | 'threadId'>): boolean {
  const roomId = ROOM_TAG.exec(tag)?.[1];
  return seq !== undefined && roomId !== undefined && hasRead(Number(roomId), { seq, threadId });
}
