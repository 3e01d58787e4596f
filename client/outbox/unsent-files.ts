/** How unsent messages and the uploads of their files meet. */
import type { Cancel } from '../clock.ts';
import type { OutboxFile } from './outbox-files.ts';
import type { OutboxItem } from './outbox-store.ts';

/** The part of the outbox that `Uploads` works with. */
export interface UnsentFiles {
  /** In the order in which they were written. */
  readonly items: readonly OutboxItem[];
  subscribe(listener: () => void): Cancel;
  fileChanged(file: OutboxFile): void;
  refuse(cid: string, code: string): void;
}

/** The messages that have this file, with what is known of it now. One that has to be uploaded again is not refused. */
export function withFile(items: readonly OutboxItem[], file: OutboxFile): OutboxItem[] {
  return items.flatMap((item) => {
    if (!item.files?.some(({ upload }) => upload === file.upload)) return [];
    const files = item.files.map((one) => (one.upload === file.upload ? file : one));
    return { ...item, files, refusal: file.key === null ? null : item.refusal };
  });
}
