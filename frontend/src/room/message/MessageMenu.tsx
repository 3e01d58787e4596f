import { useEffect, useState } from 'react';
import type { Message } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { changesOf, useChanges } from '../../stores/changes.ts';
import { isSaved, loadSaved, useSaved } from '../../stores/saved.ts';
import { ActionMenu } from '../../ui/ActionMenu.tsx';
import { COMMAND_ICONS } from './command-icons.ts';
import { COMMANDS, type Command, carryOut, may, shown, toggleReaction } from './message-commands.ts';
import { closeMessageMenu } from './message-menu-store.ts';
import { QUICK_REACTIONS } from './quick-reactions.ts';

interface MessageMenuProps {
  readonly message: Message;
  /** Null: a finger holds the message. */
  readonly anchor: HTMLElement | null;
}

/** React and answer, keep, link, and the rest. */
const GROUPS: Readonly<Record<Command, number>> = {
  ...{ react: 0, reply: 0, thread: 0, edit: 0 },
  ...{ pin: 1, save: 1, unread: 1 },
  ...{ copy_text: 2, copy_link: 2 },
  ...{ profile: 3, why: 3, report: 3, moderate: 3 },
  delete: 4,
};

/** What can be done with a message: beside its bar, or a sheet at the lower edge of a phone. */
export function MessageMenu({ message, anchor }: MessageMenuProps) {
  const { message: texts } = useScreenTexts();
  const changes = useChanges((store) => changesOf(store, message.id));
  const isKept = useSaved(({ ids }) => isSaved(ids, changes, message.id));
  const [commands] = useState(() => COMMANDS.filter(({ command }) => may(command, message)));
  const [at] = useState(() => anchor && ({ box: anchor.getBoundingClientRect(), align: 'right' } as const));
  const quick = may('react', message) ? QUICK_REACTIONS : [];

  useEffect(() => void loadSaved(), []);

  return (
    <ActionMenu
      label={texts.actions}
      quick={quick.map((emoji) => ({
        sign: emoji,
        name: texts.reactWith(emoji),
        run: () => toggleReaction(message, emoji),
      }))}
      actions={commands.map(({ command, key }, index) => {
        const before = commands[index - 1]?.command ?? command;
        return {
          name: texts.commands[nameOf(command, message, isKept)],
          icon: COMMAND_ICONS[command],
          shortcut: key,
          isDanger: command === 'delete',
          beginsGroup: GROUPS[before] !== GROUPS[command],
          run: () => carryOut(command, message, anchor),
        };
      })}
      at={at}
      isHeld={anchor === null}
      onClose={closeMessageMenu}
    />
  );
}

function nameOf(command: Command, message: Message, isKept: boolean): Command | 'unpin' | 'unsave' {
  if (command === 'pin' && shown(message).pinned_at !== undefined) return 'unpin';
  return command === 'save' && isKept ? 'unsave' : command;
}
