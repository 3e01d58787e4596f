import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { SAVED_NOTE_MAX } from '../../../../protocol/limits.ts';
import { noteOf } from '../../../../protocol/text.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { isComposing, sends } from '../../room/composer/composer-keys.ts';
import { isTouch } from '../../stores/use-media.ts';
import { Button } from '../../ui/Button.tsx';
import editor from '../../ui/TextEditor.module.css';
import styles from './SavedNote.module.css';

interface NoteEditorProps {
  readonly note: string;
  /** Gets the trimmed note, which is empty when it was removed. */
  onSave(note: string): void;
  onLeave(): void;
}

/** The note of a saved message while it is written. Enter saves, Escape leaves. */
export function NoteEditor({ note, onSave, onLeave }: NoteEditorProps) {
  const { savedPage: texts, message } = useScreenTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(note);
  const written = noteOf(draft, SAVED_NOTE_MAX);

  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);

  function save(): void {
    if (written !== null) onSave(written);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      onLeave();
    } else if (sends(event) && !isTouch()) {
      event.preventDefault();
      save();
    }
    event.stopPropagation();
  }

  return (
    <div className={editor.editor}>
      <div className={editor.grow} data-content={draft}>
        <textarea
          ref={field}
          rows={1}
          value={draft}
          aria-label={texts.note}
          aria-invalid={written === null}
          placeholder={texts.notePlaceholder}
          dir="auto"
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={editor.foot}>
        {written === null && (
          <p className={styles.problem} role="alert">
            {texts.noteTooLong(SAVED_NOTE_MAX)}
          </p>
        )}
        <Button onClick={onLeave}>{message.cancel}</Button>
        <Button look="primary" aria-disabled={written === null} onClick={save}>
          {texts.saveNote}
        </Button>
      </div>
    </div>
  );
}

/** The user's own words about a saved message. */
export function Note({ note }: { readonly note: string }) {
  return (
    <p className={styles.note} dir="auto" data-testid="saved-note">
      {note}
    </p>
  );
}
