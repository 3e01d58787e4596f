import { type KeyboardEvent, useRef } from 'react';
import { useFullTexts } from '../../i18n/screens.ts';
import styles from './AuthCard.module.css';
import type { AuthMode } from './auth-errors.ts';

interface ModeTabsProps {
  readonly mode: AuthMode;
  readonly onChoose: (mode: AuthMode) => void;
  readonly panelId: string;
}

/** Sign-in and sign-up as tabs. Arrow keys move between them. */
export function ModeTabs({ mode, onChoose, panelId }: ModeTabsProps) {
  const text = useFullTexts();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    onChoose(mode === 'sign_in' ? 'sign_up' : 'sign_in');
    list.current?.querySelector<HTMLElement>('[aria-selected=false]')?.focus();
  }

  const tab = (value: AuthMode, label: string) => (
    <button
      type="button"
      role="tab"
      aria-selected={mode === value}
      aria-controls={panelId}
      tabIndex={mode === value ? 0 : -1}
      className={styles.tab}
      onClick={() => onChoose(value)}
    >
      {label}
    </button>
  );

  return (
    <div ref={list} role="tablist" aria-label={text.auth.modes} className={styles.tabs} onKeyDown={onKeyDown}>
      {tab('sign_in', text.auth.signInTab)}
      {tab('sign_up', text.auth.signUpTab)}
    </div>
  );
}
