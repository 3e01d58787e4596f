import { type FocusEvent, useLayoutEffect, useRef } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { useToasts } from '../stores/toasts.ts';
import { IconButton } from '../ui/Button.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import styles from './Toasts.module.css';

/** Where toasts appear and are announced. */
export function Toasts() {
  const text = useText();
  const { toasts, dismiss } = useToasts();
  const place = useRef<HTMLDivElement>(null);
  /** What had the focus before a toast; null while no toast has it. */
  const before = useRef<Element | null>(null);

  function onFocus({ relatedTarget }: FocusEvent): void {
    if (!place.current?.contains(relatedTarget)) before.current = relatedTarget ?? document.body;
  }

  function onBlur({ relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null && !place.current?.contains(relatedTarget)) before.current = null;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a toast that goes may take the focus with it.
  useLayoutEffect(() => {
    if (before.current === null || place.current?.contains(document.activeElement)) return;
    const writer = document.querySelector<HTMLElement>('[data-region=composer] textarea');
    const isThere = before.current !== document.body && before.current.isConnected;
    (isThere ? (before.current as HTMLElement) : writer)?.focus();
    before.current = null;
  }, [toasts]);

  return (
    <div
      ref={place}
      className={styles.place}
      role="status"
      data-testid="toasts"
      onFocus={onFocus}
      onBlur={onBlur}
    >
      {toasts.map(({ id, text: said, action }) => (
        <div key={id} className={styles.toast}>
          <p className={styles.text}>{said}</p>
          {action !== undefined && (
            <button
              type="button"
              className={styles.action}
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton label={text.dialogs.close} onClick={() => dismiss(id)}>
            <CloseIcon size={16} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
