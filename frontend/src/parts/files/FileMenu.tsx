import { useLayoutEffect, useRef, useState } from 'react';
import type { OutboxFile } from '../../../../client/index.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import type { FileMessage } from '../../stores/dialogs.ts';
import type { Action } from '../../ui/ActionMenu.tsx';
import { PencilIcon } from '../../ui/icons.tsx';
import { TrashIcon } from '../../ui/late-icons.tsx';
import { MoreMenu } from '../../ui/MoreMenu.tsx';
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
      <MoreMenu
        ref={button}
        className={styles.more}
        look={look}
        label={label}
        active={active}
        actions={rights.mayDescribe && isThere ? [describe, remove] : [remove]}
      />
      {asked !== null && <FileDialogs asked={asked} file={file} of={of} onClose={() => setAsked(null)} />}
    </>
  );
}
