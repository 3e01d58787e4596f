import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Room, RoomThread } from '../../../../client/index.ts';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { isMessageContent } from '../../../../protocol/text.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { localStore } from '../../stores/device.ts';
import { UpIcon } from '../../ui/icons.tsx';
import { isTouch } from '../../ui/use-media.ts';
import box from '../composer/Composer.module.css';
import { ComposerAids, type SendGuard } from '../composer/ComposerAids.tsx';
import { editByKey, isComposing, sends } from '../composer/composer-keys.ts';
import { useDraft } from '../composer/use-draft.ts';
import styles from './ThreadPanel.module.css';

interface ThreadComposerProps {
  readonly room: Room;
  readonly thread: RoomThread;
  readonly threadId: number;
  readonly userId: number;
  /** The user opened the thread just now. */
  readonly takesFocus: boolean;
}

/** Where a reply in the thread is written. */
export function ThreadComposer({ room, thread, threadId: id, userId, takesFocus }: ThreadComposerProps) {
  const text = useText();
  const { thread: texts } = useScreenTexts();
  const [content, change] = useThreadDraft(userId, id);
  const [isAlsoInRoom, setAlsoInRoom] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const guard = useRef<SendGuard>(null);

  useEffect(() => {
    // On a touch screen this would raise the keyboard over the replies.
    if (takesFocus && !isTouch()) field.current?.focus();
  }, [takesFocus]);

  function submit(event: FormEvent | KeyboardEvent): void {
    event.preventDefault();
    if (!isMessageContent(content)) return;
    if (!guard.current?.([content], () => post())) post();
  }

  function post(): void {
    const also = isAlsoInRoom;
    void thread.send(content).then((replyId) => {
      // An answer to the reply, in the main flow: no message stands in two flows.
      if (also && replyId !== null) void room.send(content, { replyTo: replyId });
    });
    change('');
    setAlsoInRoom(false);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return;
    if (sends(event) && !isTouch()) submit(event);
    else editByKey(event);
  }

  return (
    <div className={box.place}>
      <form className={box.box} onSubmit={submit}>
        <div className={box.grow} data-content={content}>
          <textarea
            ref={field}
            className={box.field}
            rows={1}
            value={content}
            maxLength={MESSAGE_CONTENT.max}
            aria-label={texts.composer}
            placeholder={texts.composer}
            dir="auto"
            enterKeyHint={isTouch() ? 'enter' : 'send'}
            onChange={({ target }) => change(target.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        <ComposerAids
          field={field}
          guard={guard}
          content={content}
          roomId={room.id}
          userId={userId}
          isPhone={isTouch()}
        />
        <button
          type="submit"
          className={box.send}
          aria-label={text.composer.send}
          aria-disabled={!isMessageContent(content)}
          onPointerDown={(event) => event.preventDefault()}
        >
          <UpIcon />
        </button>
      </form>
      <label className={styles.also}>
        <input
          type="checkbox"
          checked={isAlsoInRoom}
          onChange={({ target }) => setAlsoInRoom(target.checked)}
        />
        {texts.alsoInRoom}
      </label>
    </div>
  );
}

/** The unsent text of a thread. */
function useThreadDraft(userId: number, threadId: number) {
  const key = `chat_thread_draft:${userId}:${threadId}`;
  return useDraft(key, (content) => {
    if (content === '') localStore.removeItem(key);
    else localStore.setItem(key, content);
  });
}
