import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Message } from '../../../../client/index.ts';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { codePointLength, isMessageContent } from '../../../../protocol/text.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { focusNearestComposer } from '../../shell/regions.ts';
import { useChanges } from '../../stores/changes.ts';
import { Button } from '../../ui/Button.tsx';
import styles from '../../ui/TextEditor.module.css';
import { isTouch } from '../../ui/use-media.ts';
import { isComposing, sends } from '../composer/composer-keys.ts';
import { editByKey } from '../composer/edit-by-key.ts';
import { endEdit, keepEdit, readEdit } from './edit-draft.ts';
import { focusRow } from './focus-row.ts';

/** Edits an own message in its place. Enter saves, Escape leaves. What is not saved survives a reload. */
export function MessageEditor({ message }: { readonly message: Message }) {
  const { message: texts, composing } = useScreenTexts();
  const hintId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(() => {
    const kept = readEdit();
    if (kept?.messageId === message.id) return kept;
    return { messageId: message.id, content: message.content, base: message.revision ?? 0 };
  });
  const { content } = draft;
  const over = codePointLength(content) - MESSAGE_CONTENT.max;

  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
    element?.scrollIntoView({ block: 'nearest' });
  }, []);

  function change(next: string): void {
    const changed = { ...draft, content: next };
    setDraft(changed);
    keepEdit(changed);
  }

  /** The author goes on writing in the composer. Where there is none, the message keeps the focus. */
  function leave(): void {
    const { current } = field;
    if (current !== null && !focusNearestComposer(current)) focusRow(current);
    endEdit();
  }

  function save(): void {
    if (!isMessageContent(content)) return;
    const { changes } = useChanges.getState();
    if (content !== message.content)
      changes?.make(message.room_id, message.id, { kind: 'edit', content, base: draft.base });
    leave();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      leave();
    } else if (sends(event) && !isTouch()) {
      event.preventDefault();
      save();
    } else {
      editByKey(event);
    }
    // The keys of the messages around it are not meant.
    event.stopPropagation();
  }

  return (
    <div className={styles.editor} data-testid="editor">
      <div className={styles.grow} data-content={content}>
        <textarea
          ref={field}
          rows={1}
          value={content}
          aria-label={texts.editing}
          aria-describedby={hintId}
          aria-invalid={over > 0}
          dir="auto"
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={styles.foot}>
        <p id={hintId} className={styles.hint}>
          {over > 0 ? composing.tooLong(over) : !isTouch() && texts.editingHint}
        </p>
        <Button onClick={leave}>{texts.cancel}</Button>
        <Button look="primary" aria-disabled={!isMessageContent(content)} onClick={save}>
          {texts.save}
        </Button>
      </div>
    </div>
  );
}
