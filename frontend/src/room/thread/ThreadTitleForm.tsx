import { type FormEvent, useState } from 'react';
import type { RoomThread } from '../../../../client/index.ts';
import { THREAD_TITLE_MAX } from '../../../../protocol/limits.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Button } from '../../ui/Button.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './ThreadPanel.module.css';

interface ThreadTitleFormProps {
  readonly thread: RoomThread;
  /** The present one; empty: none. */
  readonly title: string;
  readonly onClose: () => void;
}

/** Beneath the head: the title of the thread, to be written. */
export function ThreadTitleForm({ thread, title, onClose }: ThreadTitleFormProps) {
  const { thread: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const [typed, setTyped] = useState(title);

  function rename(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      await thread.change({ title: typed.trim() });
      onClose();
    });
  }

  return (
    <form className={styles.naming} onSubmit={rename}>
      <input
        className={styles.field}
        aria-label={texts.titleLabel}
        placeholder={texts.titleLabel}
        maxLength={THREAD_TITLE_MAX}
        value={typed}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for the field.
        autoFocus
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onClose();
        }}
      />
      <Button type="submit" look="primary" aria-disabled={busy}>
        {texts.save}
      </Button>
    </form>
  );
}
