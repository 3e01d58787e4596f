import type { OutboxFile } from '../../../../client/index.ts';
import type { FileMessage } from '../../stores/dialogs.ts';
import { FileCard } from './FileCard.tsx';
import type { FileBlock as Block } from './layout.ts';
import { Pictures } from './Pictures.tsx';
import { SoundPlayer, VideoPlayer } from './Players.tsx';

interface FileBlockProps {
  readonly block: Block;
  readonly messageId: number | null;
  /** Its message, where one may change what is in it. */
  readonly of?: FileMessage | null;
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
}

/** Files of a message that stand together. They fill their space. */
export function FileBlock({ block: { kind, files }, messageId, of = null, active }: FileBlockProps) {
  const [file] = files as readonly [OutboxFile];
  switch (kind) {
    case 'image':
      return <Pictures files={files} messageId={messageId} of={of} active={active} />;
    case 'video':
      return <VideoPlayer file={file} of={of} active={active} />;
    case 'audio':
      return <SoundPlayer file={file} of={of} active={active} />;
    case 'file':
      return <FileCard file={file} of={of} active={active} />;
  }
}
