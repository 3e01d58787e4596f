import { useRef } from 'react';
import { useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { COMMANDS } from '../room/message/message-commands.ts';
import { IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import { Keys } from '../ui/Keys.tsx';
import { KEY_NAMES } from '../ui/shortcuts.ts';
import styles from './HelpDialog.module.css';

/** The overview of all keyboard shortcuts. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const { help, dialogs } = useFullTexts();
  const groups = useGroups();
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <Dialog ref={dialog} className={styles.help} onClose={onClose} aria-labelledby="help-title">
      <div className={styles.head}>
        <h2 id="help-title" className={styles.title}>
          {help.title}
        </h2>
        <IconButton label={dialogs.close} onClick={() => dialog.current?.close()}>
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

/** What a key does, and the keys. */
type Row = readonly [string, readonly string[]];

function useGroups(): readonly (readonly [string, readonly Row[]])[] {
  const text = useFullTexts();
  const { message, search } = useScreenTexts();
  const { help } = text;
  const { command, alt, shift, enter } = KEY_NAMES;
  const onMessage = COMMANDS.flatMap(({ command, key }) =>
    key === null ? [] : [[message.commands[command], [key]] as const],
  );
  return [
    [
      help.everywhere,
      [
        [help.switcher, [command, 'K']],
        [search.title, [command, shift, 'F']],
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
        [help.editLast, ['↑']],
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
        [help.entries, ['K', 'J']],
      ],
    ],
    [help.onMessage, onMessage],
  ];
}
