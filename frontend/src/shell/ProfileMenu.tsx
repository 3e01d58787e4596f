import { useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { explain } from '../i18n/errors.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { setBlocked } from '../stores/blocked.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { peopleRequests } from '../stores/requests.ts';
import { showToast } from '../stores/toasts.ts';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { type Action, ActionItem, ActionMenu } from '../ui/ActionMenu.tsx';
import { IconButton } from '../ui/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { CopyIcon, MoreIcon } from '../ui/icons.tsx';
import { BlockIcon } from '../ui/late-icons.tsx';
import type { MenuPlace } from '../ui/place-menu.ts';
import styles from './ProfileDialog.module.css';

interface ProfileMenuProps {
  readonly id: number;
  readonly username: string;
  /** The name that the person goes by. */
  readonly name: string;
  /** Closes the profile. */
  readonly onClose: () => void;
}

/** The rarer things to do with a person: in a menu; on a phone as rows of the sheet that the profile is. */
export function ProfileMenu(props: ProfileMenuProps) {
  const { profile: texts } = useScreenTexts();
  const isSheet = useMedia(NARROW);
  const actions = useActions(props);
  const [at, setAt] = useState<MenuPlace | null>(null);
  if (isSheet) {
    return (
      <div className={styles.rows}>
        {actions.map((action) => (
          <ActionItem key={action.name} action={action} choose={(run) => run()} />
        ))}
      </div>
    );
  }
  return (
    <>
      <IconButton
        label={texts.more}
        aria-haspopup="dialog"
        aria-expanded={at !== null}
        onClick={({ currentTarget }) => setAt({ box: currentTarget.getBoundingClientRect(), align: 'right' })}
      >
        <MoreIcon />
      </IconButton>
      {at !== null && <ActionMenu label={props.name} actions={actions} at={at} onClose={() => setAt(null)} />}
    </>
  );
}

/** A block is undone in the notice that tells of it. */
function useActions({ id, username, name, onClose }: ProfileMenuProps): readonly Action[] {
  const text = useText();
  const { profile: texts } = useScreenTexts();
  const isBlocked = useOwnRooms(({ blocked }) => blocked.has(id));

  async function block(on: boolean): Promise<void> {
    try {
      await (on ? peopleRequests().block(id) : peopleRequests().unblock(id));
      setBlocked(id, on);
      if (on) showToast(texts.blocked(name), { label: texts.undo, run: () => void block(false) });
    } catch (error) {
      showToast(explain(text, error));
    }
  }

  return [
    {
      name: texts.copyName,
      icon: CopyIcon,
      run: () => {
        onClose();
        void copyText(username).then((done) => showToast(done ? texts.nameCopied : username));
      },
    },
    {
      name: isBlocked ? texts.unblock : texts.block,
      icon: BlockIcon,
      isDanger: !isBlocked,
      beginsGroup: true,
      run: () => {
        // The notice stands on the page, which the profile would cover.
        onClose();
        void block(!isBlocked);
      },
    },
  ];
}
