import type { Message, OutboxFile } from '../../../../client/index.ts';
import { layoutOf } from '../../parts/files/layout.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './MessageFiles.module.css';

interface MessageFilesProps {
  readonly files: readonly OutboxFile[];
  /** Null while the server has not confirmed it. */
  readonly messageId: number | null;
  /** Its message, where one may change what is in it. */
  readonly of?: Message | null;
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
}

const FileBlock = lazyPart(async () => (await import('../../parts/files/late.ts')).FileBlock);

/** The files of a message. Their space is there before what shows them has loaded. */
export function MessageFiles({ files, ...rest }: MessageFilesProps) {
  return (
    <div className={styles.files} data-testid="message-files">
      {layoutOf(files).map((block, index) => (
        // The files of a message keep their order, and an own one gets its key later. A deletion moves them up.
        <div key={String(10 * files.length + index)} className={styles.block} style={block.style}>
          <FileBlock block={block} {...rest} />
        </div>
      ))}
    </div>
  );
}
