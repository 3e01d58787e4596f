import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './Apart.module.css';

/**
 * Dialogs and menus of something within a message, which stand apart from what holds it: React would hand their keys and
 * clicks on to the message, the list of messages, and the viewer.
 */
export function Apart({ children }: { readonly children: ReactNode }) {
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing but keep events within.
    <div
      className={styles.apart}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => event.stopPropagation()}
    >
      {children}
    </div>,
    document.body,
  );
}
