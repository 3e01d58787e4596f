import { useLayoutEffect, useRef, useState } from 'react';
import type { OutboxFile } from '../../../../client/index.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import type { FileMessage } from '../../stores/dialogs.ts';
import { type Action, ActionMenu } from '../../ui/ActionMenu.tsx';
import { PencilIcon } from '../../ui/icons.tsx';
import { MoreIcon, TrashIcon } from '../../ui/late-icons.tsx';
import type { MenuPlace } from '../../ui/place-menu.ts';
import { Apart } from './Apart.tsx';
import { FileDialogs } from './FileDialogs.tsx';
import styles from './FileMenu.module.css';
import { useFileRights } from './file-rights.ts';

interface FileMenuProps {
  readonly file: OutboxFile;
  /** Null: it is not sent, or nothing is offered. */
  readonly of: FileMessage | null;
  readonly active: boolean;
  /** `over`: on a picture, while the pointer or the focus is there. `film`: also where there is no pointer. */
  readonly look: 'plain' | 'over' | 'film';
}

/** A button with what the user may do with a file of a message. Nothing, where that is nothing. */
export function FileMenu({ file, of, active, look }: FileMenuProps) {
  const { files: texts } = useScreenTexts();
  const rights = useFileRights(of);
  const [at, setAt] = useState<MenuPlace | null>(null);
  const [asked, setAsked] = useState<'describe' | 'delete' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const label = texts.actions(isolate(file.name));

  useLayoutEffect(() => {
    const { current } = button;
    // A file that goes leaves the focus to its message, after the list of messages has taken it.
    return () => {
      if (current === null || current !== document.activeElement) return;
      const row = current.closest<HTMLElement>('[data-row=message]');
      setTimeout(() => row?.focus({ preventScroll: true }));
    };
  }, []);

  if (of === null || !file.key || !rights.mayDelete) return null;
  const describe: Action = { name: texts.describeFile, icon: PencilIcon, run: () => setAsked('describe') };
  const remove: Action = {
    ...{ name: texts.deleteFile, icon: TrashIcon, isDanger: true },
    run: () => setAsked('delete'),
  };
  const isThere = file.state !== 'refused';
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.more}
        data-look={look}
        tabIndex={active ? 0 : -1}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={at !== null}
        onClick={({ currentTarget }) => setAt({ box: currentTarget.getBoundingClientRect(), align: 'right' })}
      >
        <MoreIcon size={18} />
      </button>
      {at !== null && (
        <Apart>
          <ActionMenu
            label={label}
            at={at}
            actions={rights.mayDescribe && isThere ? [describe, remove] : [remove]}
            onClose={() => setAt(null)}
          />
        </Apart>
      )}
      {asked !== null && <FileDialogs asked={asked} file={file} of={of} onClose={() => setAsked(null)} />}
    </>
  );
}
