import { type KeyboardEvent, useRef } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { moveByArrows } from '../../ui/arrow-keys.ts';
import { IconButton } from '../../ui/Button.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import menuStyles from '../../ui/Menu.module.css';
import styles from './NewMenu.module.css';

const NewMenuItems = lazyPart(async () => (await import('./NewMenuItems.tsx')).NewMenuItems);

/**
 * The "+" above the list, and what it offers. A native popover: the browser handles Escape, focus and clicks elsewhere.
 * It opens even if its items are still loading.
 */
export function NewMenu() {
  const text = useText();
  const menu = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === 'Tab') menu.current?.hidePopover();
    moveByArrows(event, 'vertical');
  }

  /** Called when the menu has opened, and when its items have come. */
  function focusFirst(): void {
    menu.current?.querySelector<HTMLElement>(':popover-open > [role=menuitem]')?.focus();
  }

  return (
    <>
      <IconButton label={text.sidebar.new} aria-haspopup="menu" popoverTarget="new-menu">
        <PlusIcon />
      </IconButton>
      <div
        ref={menu}
        id="new-menu"
        popover="auto"
        role="menu"
        aria-label={text.sidebar.new}
        className={`${menuStyles.menu} ${styles.menu}`}
        onKeyDown={onKeyDown}
        onToggle={focusFirst}
      >
        <NewMenuItems onShown={focusFirst} onChosen={() => menu.current?.hidePopover()} />
      </div>
    </>
  );
}
