import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Message } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { changesOf, useChanges } from '../../stores/changes.ts';
import { isSaved, loadSaved, useSaved } from '../../stores/saved.ts';
import { isTouch, NARROW, useMedia } from '../../stores/use-media.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Keys } from '../../ui/Keys.tsx';
import styles from './MessageMenu.module.css';
import { COMMANDS, type Command, carryOut, may, shown, toggleReaction } from './message-commands.ts';
import { closeMessageMenu } from './message-menu-store.ts';
import { QUICK_REACTIONS } from './quick-reactions.ts';

interface MessageMenuProps {
  readonly message: Message;
  readonly anchor: HTMLElement | null;
}

const WIDTH = 240;
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
      {commands.map(({ command, key }) => (
        <button
          key={command}
          type="button"
          className={styles.item}
          data-danger={command === 'delete'}
          onClick={() => choose(() => carryOut(command, message, anchor))}
        >
          {texts.commands[nameOf(command, message, isKept)]}
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
  // The last of several stands apart.
  const height = items * 34 + 23;
  const below = box.bottom + GAP;
  const top = below + height > window.innerHeight - GAP ? box.top - GAP - height : below;
  return {
    left: Math.max(GAP, Math.min(box.right, window.innerWidth - GAP) - WIDTH),
    top: Math.max(GAP, top),
  };
}
