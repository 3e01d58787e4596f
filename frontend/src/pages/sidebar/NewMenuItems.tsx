import { useEffect } from 'react';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { type OpenDialog, useDialogs } from '../../stores/dialogs.ts';
import { NARROW, useMedia } from '../../stores/use-media.ts';
import { Keys } from '../../ui/Keys.tsx';
import { DoorIcon, InviteIcon, WriteIcon } from '../../ui/late-icons.tsx';
import menuStyles from '../../ui/Menu.module.css';
import { SheetGrip } from '../../ui/SheetGrip.tsx';
import { KEY_NAMES } from '../../ui/shortcuts.ts';

const ITEMS = [
  { dialog: { kind: 'new_dm' }, Icon: WriteIcon },
  { dialog: { kind: 'create_room', suggestion: '' }, Icon: DoorIcon },
  { dialog: { kind: 'invite_people' }, Icon: InviteIcon },
] as const satisfies readonly { readonly dialog: OpenDialog; readonly Icon: unknown }[];

interface NewMenuItemsProps {
  /** The items are on the page. */
  readonly onShown: () => void;
  readonly onChosen: () => void;
}

/** What can be made: a direct message, a room, an invitation. */
export function NewMenuItems({ onShown, onChosen }: NewMenuItemsProps) {
  const text = useFullTexts();
  const { invitePeople } = useScreenTexts();
  const isSheet = useMedia(NARROW);
  const names = {
    new_dm: text.sidebar.newMessage,
    create_room: text.createRoom.title,
    invite_people: invitePeople.title,
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when they have come.
  useEffect(onShown, []);

  const items = ITEMS.map(({ dialog, Icon }) => (
    <button
      key={dialog.kind}
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-keyshortcuts={dialog.kind === 'new_dm' ? 'Control+Shift+M Meta+Shift+M' : undefined}
      className={menuStyles.item}
      onClick={() => {
        // The dialog takes the focus from the button, and returns it there.
        onChosen();
        useDialogs.getState().show(dialog);
      }}
    >
      <Icon size={18} />
      <span className={menuStyles.name}>{names[dialog.kind]}</span>
      {dialog.kind === 'new_dm' && (
        <span aria-hidden="true">
          <Keys isHint keys={[KEY_NAMES.command, KEY_NAMES.shift, 'M']} />
        </span>
      )}
    </button>
  ));
  return (
    <>
      {isSheet && <SheetGrip onClose={onChosen} />}
      {items}
    </>
  );
}
