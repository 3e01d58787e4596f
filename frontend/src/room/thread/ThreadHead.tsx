import { useState } from 'react';
import type { RoomThread, ThreadState } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { refreshThreads } from '../../stores/threads.ts';
import { type Action, ActionMenu } from '../../ui/ActionMenu.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { CheckIcon, MoreIcon, PencilIcon } from '../../ui/icons.tsx';
import { BellIcon, BellOffIcon } from '../../ui/late-icons.tsx';
import { PanelHead } from '../../ui/PanelHead.tsx';
import type { MenuPlace } from '../../ui/place-menu.ts';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './ThreadPanel.module.css';
import { ThreadTitleForm } from './ThreadTitleForm.tsx';

interface ThreadHeadProps {
  /** Null: not there yet. */
  readonly thread: RoomThread | null;
  readonly state: ThreadState | null;
  readonly roomName: string;
  readonly onClose: () => void;
}

/** The thread's title, who is in it, and what can be done with it: resolve it, follow it, and give it a title. */
export function ThreadHead({ thread, state, roomName, onClose }: ThreadHeadProps) {
  const { thread: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const [isNaming, setNaming] = useState(false);
  const facts = state?.root?.thread;
  const people = state === null ? null : peopleIn(state);
  const note = facts?.title === undefined ? [roomName] : [texts.title, roomName];
  if (people !== null) note.push(texts.people(people));
  return (
    <>
      <PanelHead
        title={facts?.title ?? texts.title}
        note={note.join(' · ')}
        onClose={onClose}
        actions={
          thread !== null &&
          state !== null && (
            <>
              {facts !== undefined && (
                <IconButton
                  label={facts.resolved ? texts.resolved : texts.resolve}
                  className={styles.resolve}
                  aria-pressed={facts.resolved}
                  aria-disabled={busy}
                  onClick={() => void run(() => thread.change({ resolved: !facts.resolved }))}
                >
                  <CheckIcon />
                </IconButton>
              )}
              <MoreButton thread={thread} state={state} onName={() => setNaming(true)} />
            </>
          )
        }
      />
      {isNaming && thread !== null && (
        <ThreadTitleForm thread={thread} title={facts?.title ?? ''} onClose={() => setNaming(false)} />
      )}
    </>
  );
}

interface MoreButtonProps {
  readonly thread: RoomThread;
  readonly state: ThreadState;
  readonly onName: () => void;
}

function MoreButton({ thread, state, onName }: MoreButtonProps) {
  const { thread: texts, message } = useScreenTexts();
  const { run } = useRequest();
  const [at, setAt] = useState<MenuPlace | null>(null);
  const facts = state.root?.thread;

  function follow(): void {
    void run(async () => {
      await thread.setFollowing(!state.following);
      refreshThreads();
    });
  }

  const actions: Action[] = [
    state.following
      ? { name: texts.unfollow, icon: BellOffIcon, run: follow }
      : { name: texts.follow, icon: BellIcon, run: follow },
  ];
  if (facts !== undefined) {
    const name = facts.title === undefined ? texts.addTitle : texts.editTitle;
    actions.push({ name, icon: PencilIcon, run: onName });
  }
  return (
    <>
      <IconButton
        label={message.more}
        aria-haspopup="dialog"
        onClick={({ currentTarget: button }) => setAt({ box: button.getBoundingClientRect(), align: 'left' })}
      >
        <MoreIcon />
      </IconButton>
      {at !== null && (
        <ActionMenu label={texts.title} actions={actions} at={at} onClose={() => setAt(null)} />
      )}
    </>
  );
}

/** How many people have written in it; null where not all of it is held. */
function peopleIn({ root, messages, hasOlder }: ThreadState): number | null {
  if (root === null || hasOlder) return null;
  return new Set([root, ...messages].map(({ user_id: id }) => id)).size;
}
