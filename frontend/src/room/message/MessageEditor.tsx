import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Message } from '../../../../client/index.ts';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { codePointLength, isMessageContent } from '../../../../protocol/text.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useChanges } from '../../stores/changes.ts';
import { useEditing } from '../../stores/editing.ts';
import { isTouch } from '../../stores/use-media.ts';
import { Button } from '../../ui/Button.tsx';
import { grown } from '../../ui/grown.ts';
import { focusNearestComposer } from '../../ui/regions.ts';
import styles from '../../ui/TextEditor.module.css';
import { useCopy } from '../../ui/use-copy.ts';
import { isComposing, sends } from '../composer/composer-keys.ts';
import { editByKey } from '../composer/edit-by-key.ts';
import { endEdit, keepEdit, readEdit } from './edit-draft.ts';
import { focusRow } from './focus-row.ts';
import { carryOut } from './message-commands.ts';
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
  const { message: texts, kept: keptTexts, composing } = useScreenTexts();
  const hintId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const remover = useRef<HTMLButtonElement>(null);
  const [draft, setDraft] = useState(() => {
    const { id, room_id: roomId, content, revision: base = 0 } = message;
    const kept = readEdit();
    return kept?.messageId === id ? kept : { messageId: id, roomId, content, base };
  });
  const [before] = useState(message.content);
  const { content } = draft;
  const over = codePointLength(content) - MESSAGE_CONTENT.max;
  const stop = useEditStop(message.room_id, isGone);
  const isEmpty = content.trim() === '';
  const { copied, copy } = useCopy(content);
  const isUntouched = content === before;

  useEffect(() => {
    const element = field.current;
    if (useEditing.getState().takesFocus) element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
    element?.scrollIntoView({ block: 'nearest' });
  }, []);

  // Nothing of the author's own would be lost, and nobody shall read on what was deleted.
  const isIdle = isGone && isUntouched;
  useEffect(() => {
    if (isIdle) leaveFrom(field.current);
  }, [isIdle]);

  function change(next: string): void {
    const changed = { ...draft, content: next };
    setDraft(changed);
    keepEdit(changed);
  }

  function save(): void {
    if (stop !== null) return;
    // By Enter, a second one deletes; that can be undone.
    if (isEmpty) return void remover.current?.focus();
    if (!isMessageContent(content)) return;
    const { changes } = useChanges.getState();
    if (content !== message.content)
      changes?.make(message.room_id, message.id, { kind: 'edit', content, base: draft.base });
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
        <Button onClick={() => leaveFrom(field.current)}>{stop === null ? texts.cancel : texts.close}</Button>
        {stop !== null ? (
          <Button look="primary" onClick={() => void copy()}>
            {copied ? keptTexts.copied : keptTexts.copy}
          </Button>
        ) : isEmpty ? (
          <Button
            ref={remover}
            look="danger"
            onClick={() => {
              leaveFrom(field.current);
              carryOut('delete', message, null);
            }}
          >
            {texts.deleteThis}
          </Button>
        ) : (
          <Button look="primary" aria-disabled={!isMessageContent(content)} onClick={save}>
            {texts.save}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The author goes on writing in the composer. Where there is none, the message keeps the focus. */
function leaveFrom(field: HTMLTextAreaElement | null): void {
  if (field !== null && !focusNearestComposer(field)) focusRow(field);
  endEdit();
}
