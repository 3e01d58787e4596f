import { type KeyboardEvent, useRef } from 'react';
import { useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { type OpenDialog, useDialogs } from '../stores/dialogs.ts';
import { Keys } from '../ui/Keys.tsx';
import { DoorIcon, InviteIcon, WriteIcon } from '../ui/late-icons.tsx';
import menuStyles from '../ui/Menu.module.css';
import { KEY_NAMES } from '../ui/shortcuts.ts';
import styles from './NewMenu.module.css';

const ITEMS = [
  { dialog: { kind: 'new_dm' }, Icon: WriteIcon },
  { dialog: { kind: 'create_room', suggestion: '' }, Icon: DoorIcon },
  { dialog: { kind: 'invite_people' }, Icon: InviteIcon },
] as const satisfies readonly { readonly dialog: OpenDialog; readonly Icon: unknown }[];

/**
 * What the "+" above the list offers. A native popover, which the button names (Sidebar.tsx): the browser handles
 * Escape, focus and clicks elsewhere.
 */
export function NewMenu() {
  const text = useFullTexts();
  const { invitePeople } = useScreenTexts();
  const menu = useRef<HTMLDivElement>(null);
  const names = {
    new_dm: text.sidebar.newMessage,
    create_room: text.createRoom.title,
    invite_people: invitePeople.title,
  };

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Tab') menu.current?.hidePopover();
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: (at + 1) % items.length, ArrowUp: Math.max(at, 0) - 1, Home: 0, End: -1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    items.at(to)?.focus();
  }

  return (
    <div
      ref={menu}
      id="new-menu"
      popover="auto"
      role="menu"
      aria-label={text.sidebar.new}
      className={`${menuStyles.menu} ${styles.menu}`}
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        if (event.newState === 'open') menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
      }}
    >
      {ITEMS.map(({ dialog, Icon }) => (
        <button
          key={dialog.kind}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-keyshortcuts={dialog.kind === 'new_dm' ? 'Control+Shift+M Meta+Shift+M' : undefined}
          className={menuStyles.item}
          onClick={() => {
            // The dialog takes the focus from the button, and returns it there.
            menu.current?.hidePopover();
            useDialogs.getState().show(dialog);
          }}
        >
          <Icon size={18} />
          <span className={styles.name}>{names[dialog.kind]}</span>
          {dialog.kind === 'new_dm' && (
            <span aria-hidden="true">
              <Keys isHint keys={[KEY_NAMES.command, KEY_NAMES.shift, 'M']} />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
