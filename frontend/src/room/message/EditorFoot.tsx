import type { RefObject } from 'react';
import type { Message } from '../../../../client/index.ts';
import { isMessageContent } from '../../../../protocol/text.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { isTouch } from '../../stores/use-media.ts';
import { Button } from '../../ui/Button.tsx';
import styles from '../../ui/TextEditor.module.css';
import { useCopy } from '../../ui/use-copy.ts';
import { carryOut } from './message-commands.ts';
import type { EditStop } from './use-edit-stop.ts';

interface EditorFootProps {
  readonly message: Message;
  readonly content: string;
  /** Characters beyond the limit. */
  readonly over: number;
  readonly stop: EditStop | null;
  /** The id of the hint, which describes the field. */
  readonly hintId: string;
  /** The button that deletes the message, in place of that which saves an empty text. */
  readonly remover: RefObject<HTMLButtonElement | null>;
  readonly onSave: () => void;
  readonly onLeave: () => void;
}

/** What stands below the text that is edited: a hint, and the buttons. */
export function EditorFoot(props: EditorFootProps) {
  const { message, content, over, stop, hintId, remover, onSave, onLeave } = props;
  const { message: texts, kept: keptTexts, composing } = useScreenTexts();
  const { copied, copy } = useCopy(content);
  const isBare = isBareText(content, message);
  const isEmpty = content.trim() === '' && !isBare;
  return (
    <div className={styles.foot}>
      <p id={hintId} className={styles.hint} role="status">
        {stop !== null
          ? texts.editStopped[stop]
          : isEmpty
            ? texts.editEmpty
            : over > 0
              ? composing.tooLong(over)
              : !isTouch() && texts.editingHint}
      </p>
      <Button onClick={onLeave}>{stop === null ? texts.cancel : texts.close}</Button>
      {stop !== null ? (
        <Button look="primary" onClick={() => void copy()}>
          {copied ? keptTexts.copied : keptTexts.copy}
        </Button>
      ) : isEmpty ? (
        <Button
          ref={remover}
          look="danger"
          onClick={() => {
            onLeave();
            carryOut('delete', message, null);
          }}
        >
          {texts.deleteThis}
        </Button>
      ) : (
        <Button look="primary" aria-disabled={!isMessageContent(content) && !isBare} onClick={onSave}>
          {texts.save}
        </Button>
      )}
    </div>
  );
}

/** Whether it leaves the files of a message without any text. */
export function isBareText(content: string, { files }: Message): boolean {
  return content.trim() === '' && files !== undefined;
}
