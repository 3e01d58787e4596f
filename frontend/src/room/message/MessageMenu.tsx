import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Message } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { changesOf, useChanges } from '../../stores/changes.ts';
import { isSaved, loadSaved, useSaved } from '../../stores/saved.ts';
import { isTouch, NARROW, useMedia } from '../../stores/use-media.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Keys } from '../../ui/Keys.tsx';
import { CommandIcon } from './CommandIcon.tsx';
import styles from './MessageMenu.module.css';
import { COMMANDS, type Command, carryOut, may, shown, toggleReaction } from './message-commands.ts';
import { closeMessageMenu } from './message-menu-store.ts';
import { QUICK_REACTIONS } from './quick-reactions.ts';

interface MessageMenuProps {
  readonly message: Message;
  readonly anchor: HTMLElement | null;
}

const GROUP: Readonly<Record<Command, number>> = {
  ...{ react: 0, reply: 0, thread: 0, edit: 0 },
  ...{ pin: 1, save: 1, unread: 1 },
  ...{ copy_text: 2, copy_link: 2 },
  ...{ profile: 3, why: 3, report: 3, moderate: 3 },
  delete: 4,
};

const WIDTH = 248;
const GAP = 6;

/** What can be done with a message: beside its bar, or a sheet at the lower edge of a phone. */
export function MessageMenu({ message, anchor }: MessageMenuProps) {
  const { message: texts } = useScreenTexts();
  const isSheet = useMedia(NARROW) || anchor === null;
  const changes = useChanges((store) => changesOf(store, message.id));
  const isKept = useSaved(({ ids }) => isSaved(ids, changes, message.id));
  const [commands] = useState(() => COMMANDS.filter(({ command }) => may(command, message)));
  const [place] = useState(() => (anchor === null ? undefined : placeOf(anchor, commands.length)));

  // A sheet opens under the finger that holds the message. Lifting that finger chooses nothing.
  const isPressed = useRef(anchor !== null);

  useEffect(() => void loadSaved(), []);

  function choose(run: () => void): void {
    // Closed at once, so that the focus is back at the message before the command takes it on.
    flushSync(closeMessageMenu);
    run();
  }

  return (
    <Dialog
      className={styles.menu}
      data-sheet={isSheet}
      data-testid="message-menu"
      style={isSheet ? undefined : place}
      aria-label={texts.actions}
      onClose={closeMessageMenu}
      onKeyDown={onArrows}
      onPointerDownCapture={() => {
        isPressed.current = true;
      }}
      onClickCapture={(event) => {
        // By keyboard there is no press, and no detail.
        if (!isPressed.current && event.detail > 0) event.stopPropagation();
      }}
    >
      {isSheet && may('react', message) && (
        <div className={styles.quick}>
          {QUICK_REACTIONS.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={texts.reactWith(emoji)}
              onClick={() => choose(() => toggleReaction(message, emoji))}
            >
              {emoji}
            </button>
          ))}
        </div>
      )}
      {commands.map(({ command, key }, index) => (
        <button
          key={command}
          type="button"
          className={styles.item}
          data-danger={command === 'delete'}
          data-begins={begins(commands, index)}
          onClick={() => choose(() => carryOut(command, message, anchor))}
        >
          <CommandIcon command={command} />
          <span className={styles.name}>{texts.commands[nameOf(command, message, isKept)]}</span>
          {key !== null && !isTouch() && (
            <span className={styles.key}>
              <Keys isHint keys={[key]} />
            </span>
          )}
        </button>
      ))}
    </Dialog>
  );
}

/** Whether a line stands above it: react and answer, keep, link, and the rest are groups of their own. */
function begins(commands: readonly { readonly command: Command }[], index: number): boolean {
  const [before, command] = [commands[index - 1]?.command, commands[index]?.command];
  return before !== undefined && command !== undefined && GROUP[before] !== GROUP[command];
}

function nameOf(command: Command, message: Message, isKept: boolean): Command | 'unpin' | 'unsave' {
  if (command === 'pin' && shown(message).pinned_at !== undefined) return 'unpin';
  return command === 'save' && isKept ? 'unsave' : command;
}

/** The arrow keys, Home and End move between the items. */
function onArrows(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll('button')];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to === items.length ? 0 : to)?.focus();
}

/** Below the button, or above it where there is no space. */
function placeOf(anchor: HTMLElement, items: number): { left: number; top: number } {
  const box = anchor.getBoundingClientRect();
  // Lines between the groups
  const height = items * 34 + 56;
  const below = box.bottom + GAP;
  const top = below + height > window.innerHeight - GAP ? box.top - GAP - height : below;
  return {
    left: Math.max(GAP, Math.min(box.right, window.innerWidth - GAP) - WIDTH),
    top: Math.max(GAP, top),
  };
}
