import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { NARROW, useMedia } from '../stores/use-media.ts';
import styles from './ActionMenu.module.css';
import { Dialog } from './Dialog.tsx';

export interface Action {
  readonly name: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  readonly isDanger?: boolean;
  /** A line stands above it. */
  readonly beginsGroup?: boolean;
  readonly run: () => void;
}

interface ActionMenuProps {
  /** What it is the menu of, for screen readers. */
  readonly label: string;
  readonly actions: readonly Action[];
  /** In the window, in pixels: where it opens. */
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

const WIDTH = 232;
const ITEM = 36;
const EDGE = 8;

/** A menu where the pointer was, or a sheet at the lower edge of a phone. The arrow keys move within it. */
export function ActionMenu({ label, actions, at, onClose }: ActionMenuProps) {
  const isSheet = useMedia(NARROW);
  const [place] = useState(() => placeAt(at, actions.length));

  function choose(run: () => void): void {
    // Closed at once, so that the focus is back before the action takes it on.
    flushSync(onClose);
    run();
  }

  return (
    <Dialog
      className={styles.menu}
      data-sheet={isSheet}
      style={isSheet ? undefined : place}
      aria-label={label}
      onClose={onClose}
      onKeyDown={onArrows}
      onContextMenu={(event) => event.preventDefault()}
    >
      {isSheet && <p className={styles.title}>{label}</p>}
      {actions.map(({ name, icon: Icon, isDanger = false, beginsGroup = false, run }) => (
        <button
          key={name}
          type="button"
          className={styles.item}
          data-danger={isDanger}
          data-begins={beginsGroup}
          onClick={() => choose(run)}
        >
          <Icon size={18} />
          {name}
        </button>
      ))}
    </Dialog>
  );
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

/** Within the window. */
function placeAt({ x, y }: ActionMenuProps['at'], items: number): { left: number; top: number } {
  const height = items * ITEM + 30;
  return {
    left: Math.max(EDGE, Math.min(x, window.innerWidth - WIDTH - EDGE)),
    top: Math.max(EDGE, Math.min(y, window.innerHeight - height - EDGE)),
  };
}
