import { type FormEvent, useState } from 'react';
import type { RoomThread, ThreadState } from '../../../../client/index.ts';
import { THREAD_TITLE_MAX } from '../../../../protocol/limits.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { refreshThreads } from '../../stores/threads.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './ThreadPanel.module.css';

interface ThreadHeadProps {
  readonly thread: RoomThread;
  readonly state: ThreadState;
}

/** What can be done with a thread: follow it, give it a title, and resolve it. */
export function ThreadHead({ thread, state }: ThreadHeadProps) {
  const { thread: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const [title, setTitle] = useState<string | null>(null);
  const facts = state.root?.thread;
  const isResolved = facts?.resolved === true;

  function rename(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      await thread.change({ title: (title ?? '').trim() });
      setTitle(null);
    });
  }

  if (title !== null) {
    return (
      <form className={styles.actions} onSubmit={rename}>
        <input
          className={styles.field}
          aria-label={texts.titleLabel}
          placeholder={texts.titleLabel}
          maxLength={THREAD_TITLE_MAX}
          value={title}
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for the field.
          autoFocus
          onChange={({ target }) => setTitle(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            setTitle(null);
          }}
        />
        <Button type="submit" look="primary" aria-disabled={busy}>
          {texts.save}
        </Button>
      </form>
    );
  }
  return (
    <div className={styles.actions}>
      <Button
        aria-pressed={state.following}
        aria-disabled={busy}
        onClick={() =>
          void run(async () => {
            await thread.setFollowing(!state.following);
            refreshThreads();
          })
        }
      >
        {state.following && <CheckIcon size={16} />}
        {state.following ? texts.following : texts.follow}
      </Button>
      {facts !== undefined && (
        <>
          <Button onClick={() => setTitle(facts.title ?? '')}>
            {facts.title === undefined ? texts.addTitle : texts.editTitle}
          </Button>
          <Button
            aria-pressed={isResolved}
            aria-disabled={busy}
            onClick={() => void run(() => thread.change({ resolved: !isResolved }))}
          >
            {isResolved && <CheckIcon size={16} />}
            {isResolved ? texts.resolved : texts.resolve}
          </Button>
        </>
      )}
    </div>
  );
}
