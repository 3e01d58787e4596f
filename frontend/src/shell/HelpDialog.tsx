import { useRef } from 'react';
import { useFullTexts } from '../i18n/screens.ts';
import { IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import { Keys } from '../ui/Keys.tsx';
import { KEY_NAMES } from '../ui/shortcuts.ts';
import styles from './HelpDialog.module.css';

/** The overview of all keyboard shortcuts. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const { help } = text;
  const { command, alt, shift, enter } = KEY_NAMES;
  const groups: readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[] = [
    [
      help.everywhere,
      [
        [help.switcher, [command, 'K']],
        [text.sidebar.newMessage, [command, shift, 'M']],
        [help.nextRoom, [alt, '↓']],
        [help.previousRoom, [alt, '↑']],
        [help.nextUnread, [alt, shift, '↓']],
        [help.previousUnread, [alt, shift, '↑']],
        [help.nextRegion, ['F6']],
        [help.previousRegion, [shift, 'F6']],
        [help.composer, [KEY_NAMES.escape]],
        [help.readAll, [shift, KEY_NAMES.escape]],
        [help.help, [command, '/']],
      ],
    ],
    [
      help.writing,
      [
        [help.send, [enter]],
        [help.newLine, [shift, enter]],
        [help.bold, [command, 'B']],
        [help.italic, [command, 'I']],
        [help.code, [command, 'E']],
      ],
    ],
    [
      help.reading,
      [
        [help.messages, ['↑', '↓']],
        [help.ends, ['Home', 'End']],
        [help.pages, ['PgUp', 'PgDn']],
      ],
    ],
  ];
  return (
    <Dialog ref={dialog} className={styles.help} onClose={onClose} aria-labelledby="help-title">
      <div className={styles.head}>
        <h2 id="help-title" className={styles.title}>
          {help.title}
        </h2>
        <IconButton label={text.dialogs.close} onClick={() => dialog.current?.close()}>
          <CloseIcon />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a small screen it is scrolled with the keyboard. */}
      <div className={styles.body} tabIndex={0}>
        {groups.map(([name, rows]) => (
          <section key={name}>
            <h3 className={styles.group}>{name}</h3>
            <dl className={styles.rows}>
              {rows.map(([what, keys]) => (
                <div key={what} className={styles.row}>
                  <dt>{what}</dt>
                  <dd className={styles.keys}>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
