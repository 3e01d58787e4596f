import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from 'react';
import type { Message } from '../../../../client/index.ts';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { codePointLength, isMessageContent } from '../../../../protocol/text.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useChanges } from '../../stores/changes.ts';
import { useEditing } from '../../stores/editing.ts';
import { isTouch } from '../../stores/use-media.ts';
import { grown } from '../../ui/grown.ts';
import { focusNearestComposer } from '../../ui/regions.ts';
import styles from '../../ui/TextEditor.module.css';
import { isComposing, sends } from '../composer/composer-keys.ts';
import { editByKey } from '../composer/edit-by-key.ts';
import { EditorFoot, isBareText } from './EditorFoot.tsx';
import { endEdit } from './edit-draft.ts';
import { focusRow } from './focus-row.ts';
import { useEditDraft } from './use-edit-draft.ts';
import { useEditStop } from './use-edit-stop.ts';

interface MessageEditorProps {
  readonly message: Message;
  /** It was deleted while its text was edited. */
  readonly isGone: boolean;
}

/**
 * Edits an own message in its place. Enter saves, Escape leaves. What is not saved survives a reload. Where it cannot
 * be saved any more, it stays until it was copied or left.
 */
export function MessageEditor({ message, isGone }: MessageEditorProps) {
  const { message: texts } = useScreenTexts();
  const hintId = useId();
  const remover = useRef<HTMLButtonElement>(null);
  const { content, base, isUntouched, change } = useEditDraft(message);
  // Nothing of the author's own would be lost, and nobody shall read on what was deleted.
  const isIdle = isGone && isUntouched;
  const field = useEditorField(isIdle);
  const over = codePointLength(content) - MESSAGE_CONTENT.max;
  const stop = useEditStop(message.room_id, isGone);

  function save(): void {
    if (stop !== null) return;
    // By Enter, a second one deletes; that can be undone.
    const isBare = isBareText(content, message);
    if (content.trim() === '' && !isBare) return void remover.current?.focus();
    if (!isMessageContent(content) && !isBare) return;
    const { changes } = useChanges.getState();
    if (content !== message.content)
      changes?.make(message.room_id, message.id, { kind: 'edit', content: isBare ? '' : content, base });
    leaveFrom(field.current);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    leaveFrom(field.current);
  }

  function onFieldKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return event.stopPropagation();
    if (event.key === 'Escape') return;
    if (sends(event) && !isTouch()) {
      event.preventDefault();
      save();
    } else {
      editByKey(event);
    }
    // The keys of the messages around it are not meant.
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves from the buttons, too.
    <div className={styles.editor} data-testid="editor" onKeyDown={onKeyDown}>
      <div className={styles.grow} data-content={grown(content)}>
        <textarea
          ref={field}
          rows={1}
          value={content}
          aria-label={texts.editing}
          aria-describedby={hintId}
          aria-invalid={over > 0}
          dir="auto"
          onChange={(event) => change(event.target.value)}
          onKeyDown={onFieldKey}
        />
      </div>
      <EditorFoot
        message={message}
        content={content}
        over={over}
        stop={stop}
        hintId={hintId}
        remover={remover}
        onSave={save}
        onLeave={() => leaveFrom(field.current)}
      />
    </div>
  );
}

/** The author goes on writing in the composer. Where there is none, the message keeps the focus. */
function leaveFrom(field: HTMLTextAreaElement | null): void {
  if (field !== null && !focusNearestComposer(field)) focusRow(field);
  endEdit();
}

/** The field, with the caret at the end of the text. It is left once it is idle. */
function useEditorField(isIdle: boolean): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    const element = field.current;
    if (useEditing.getState().takesFocus) element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
    element?.scrollIntoView({ block: 'nearest' });
  }, []);

  useEffect(() => {
    if (isIdle) leaveFrom(field.current);
  }, [isIdle]);

  return field;
}
