import { type Ref, useState } from 'react';
import type { OutboxFile, Room, RoomThread } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { threadDraftKey } from '../../stores/device.ts';
import { ComposerBox, type ComposerHandle } from '../composer/ComposerBox.tsx';
import styles from './ThreadPanel.module.css';

interface ThreadComposerProps {
  readonly ref: Ref<ComposerHandle>;
  readonly room: Room;
  readonly thread: RoomThread;
  readonly threadId: number;
  readonly userId: number;
  /** The user opened the thread just now. */
  readonly takesFocus: boolean;
  readonly onPage: (step: -1 | 1) => void;
}

/** Where a reply in the thread is written. Nobody is told that the user is typing: that line is of the main flow. */
export function ThreadComposer({ ref, room, thread, threadId, userId, ...props }: ThreadComposerProps) {
  const { thread: texts } = useScreenTexts();
  const [isAlsoInRoom, setAlsoInRoom] = useState(false);

  function send(messages: readonly string[], files?: readonly OutboxFile[]): void {
    for (const [index, content] of messages.entries()) {
      const stored = thread.send(content, index === 0 ? { files } : {});
      // An answer to the reply, in the main flow: no message stands in two flows.
      if (isAlsoInRoom && content !== '') {
        void stored.then((replyId) => {
          if (replyId !== null) void room.send(content, { replyTo: replyId });
        });
      }
    }
    setAlsoInRoom(false);
  }

  return (
    <ComposerBox
      {...props}
      ref={ref}
      flow="thread"
      roomId={room.id}
      userId={userId}
      label={texts.composer}
      placeholder={texts.composer}
      draftKey={threadDraftKey(userId, threadId)}
      onSend={send}
      below={
        <label className={styles.also}>
          <input
            type="checkbox"
            checked={isAlsoInRoom}
            onChange={({ target }) => setAlsoInRoom(target.checked)}
          />
          {texts.alsoInRoom}
        </label>
      }
    />
  );
}
