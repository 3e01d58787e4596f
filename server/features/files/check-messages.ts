/** What goes to the thread that looks at files, and what comes back. */
import type { FileKind } from '../../../protocol/media/kinds.ts';

export interface CheckTask {
  path: string;
  /** Where a version is written that does not tell what the file tells. */
  newPath: string;
  /** A version is written there in any case. */
  isCopied: boolean;
}

export type CheckReply =
  | {
      state: 'ready';
      /** Of the bytes that are kept. */
      size: number;
      sha256: string;
      kind: FileKind;
      /** The bytes to keep are at `newPath`. */
      isChanged: boolean;
      /** Undefined: nothing is known but what the sender says. */
      type: string | undefined;
      width: number | undefined;
      height: number | undefined;
      frames: number | undefined;
      durationMs: number | undefined;
    }
  | { state: 'refused'; reason: 'unreadable' }
  /** The disk, or an error of the program. */
  | { state: 'failed'; code: string | undefined; message: string };
