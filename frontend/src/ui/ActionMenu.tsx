import { type ComponentType, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { isTouch, NARROW, useMedia } from '../stores/use-media.ts';
import styles from './ActionMenu.module.css';
import { moveByArrows } from './arrow-keys.ts';
import { Dialog } from './Dialog.tsx';
import { Keys } from './Keys.tsx';
import menuStyles from './Menu.module.css';
import { type MenuPlace, placeMenu } from './place-menu.ts';

export interface Action {
  readonly name: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  /** The key that does the same without the menu. */
  readonly shortcut?: string | null;
  readonly isDanger?: boolean;
  /** A line stands above it. */
  readonly beginsGroup?: boolean;
  readonly run: () => void;
}

/** One that is chosen by its sign: a reaction. */
export interface QuickAction extends Pick<Action, 'name' | 'run'> {
  readonly sign: string;
}

/** Closes the menu, and does what was chosen. */
type Choose = (run: () => void) => void;

interface ActionMenuProps {
  /** What it is the menu of, for screen readers. */
  readonly label: string;
  readonly actions: readonly Action[];
  /** A row above the others, on a sheet alone. */
  readonly quick?: readonly QuickAction[];
  /** Where it opens. Null: a sheet on a wide screen, too. */
  readonly at: MenuPlace | null;
  /** A finger still holds what it is the menu of. */
  readonly isHeld?: boolean;
  readonly onClose: () => void;
}

/** A menu beside what it is of, or a sheet at the lower edge of a phone. The arrow keys move within it. */
export function ActionMenu({ label, actions, quick = [], at, isHeld = false, onClose }: ActionMenuProps) {
  const isSheet = useMedia(NARROW) || at === null;
  const dialog = useRef<HTMLDialogElement>(null);
  // A sheet opens under the finger that holds. Lifting that finger chooses nothing.
  const isPressed = useRef(!isHeld);

  useLayoutEffect(() => {
    const { current: menu } = dialog;
    if (menu !== null && !isSheet) return placeMenu(menu, at);
  }, [isSheet, at]);

  function choose(run: () => void): void {
    // Closed at once, so that the focus is back before the action takes it on.
    flushSync(onClose);
    run();
  }

  return (
    <Dialog
      ref={dialog}
      className={styles.menu}
      isSheet={isSheet}
      data-testid="action-menu"
      aria-label={label}
      onClose={onClose}
      onKeyDown={(event) => moveByArrows(event, 'vertical')}
      onContextMenu={(event) => event.preventDefault()}
      onPointerDownCapture={() => {
        isPressed.current = true;
      }}
      onClickCapture={(event) => {
        // By keyboard there is no press, and no detail.
        if (!isPressed.current && event.detail > 0) event.stopPropagation();
      }}
    >
      {isSheet &&
        (quick.length === 0 ? <p className={styles.title}>{label}</p> : <Quick {...{ quick, choose }} />)}
      {actions.map((action) => (
        <ActionItem key={action.name} action={action} choose={choose} />
      ))}
    </Dialog>
  );
}

interface ActionItemProps {
  readonly action: Action;
  readonly choose: Choose;
}

/** One row of it, which may also stand in a sheet with other content. */
export function ActionItem({ action, choose }: ActionItemProps) {
  const { name, icon: Icon, shortcut = null, isDanger = false, beginsGroup = false, run } = action;
  return (
    <button
      type="button"
      className={`${menuStyles.item} ${styles.item}`}
      data-danger={isDanger}
      data-begins={beginsGroup}
      onClick={() => choose(run)}
    >
      <Icon size={18} />
      <span className={menuStyles.name}>{name}</span>
      {shortcut !== null && !isTouch() && <Keys isHint keys={[shortcut]} />}
    </button>
  );
}

interface QuickProps {
  readonly quick: readonly QuickAction[];
  readonly choose: Choose;
}

function Quick({ quick, choose }: QuickProps) {
  return (
    <div className={styles.quick}>
      {quick.map(({ sign, name, run }) => (
        <button key={sign} type="button" aria-label={name} onClick={() => choose(run)}>
          {sign}
        </button>
      ))}
    </div>
  );
}
