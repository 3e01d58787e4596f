/** The files of an unsent message. They are uploaded beside the outbox, and the message waits for them. */
import type { AttachedFile } from '../../protocol/attached-files.ts';
import { type Check, isNatural, isText, listOf, nullable, optional, some } from '../api/checks.ts';

/** A file of an unsent message, as its author's device knows it. */
export interface OutboxFile extends Omit<AttachedFile, 'key'> {
  /** The key that the server knows it by; null until it is uploaded. */
  readonly key: string | null;
  /** The id of its upload on this device: `Uploads`. */
  readonly upload?: string | undefined;
}

/** The check of what an earlier page has stored. */
export const areFiles: Check<readonly OutboxFile[]> = listOf(
  some<OutboxFile>({
    ...{ key: nullable(isText), upload: optional(isText) },
    ...{ name: isText, type: isText, size: isNatural },
  }),
);

/** Whether the server has all of them. */
export function areUploaded(files: readonly OutboxFile[] = []): boolean {
  return files.every(({ key }) => key !== null);
}

/** As the message has them, until the server says more. */
export function attachedOf(files: readonly OutboxFile[]): AttachedFile[] {
  return files.map(({ upload, key, ...file }) => ({
    ...{ ...file, key: key ?? '' },
    // The check begins with the last byte.
    ...(upload !== undefined && { state: 'checking' as const }),
  }));
}
