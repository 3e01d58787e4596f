import { useEffect, useEffectEvent, useRef } from 'react';
import { followFinger } from './follow-finger.ts';
import type { PullRules } from './pull.ts';
import styles from './Sheet.module.css';

const REDUCED = '(prefers-reduced-motion: reduce)';
const MOVE = { duration: 160, easing: 'cubic-bezier(0.2, 0, 0, 1)' };
/** A high sheet closes from here on, and a lower one from a third of its height. */
const FAR_PX = 140;
/** Pixels per millisecond. */
const FLING = 0.5;

/**
 * The handle at the upper edge of a sheet, which is its parent. A finger pulls the whole sheet down, unless what is
 * under the finger is scrolled, and the sheet closes past a threshold or with a fling. Escape, and a tap beside it,
 * close it, too.
 */
export function SheetGrip({ onClose }: { readonly onClose: () => void }) {
  const grip = useRef<HTMLSpanElement>(null);
  const close = useEffectEvent(onClose);

  useEffect(() => {
    const sheet = grip.current?.parentElement;
    if (sheet) return followSheet(sheet, () => close());
  }, []);

  return <span ref={grip} className={styles.grip} data-grip="" aria-hidden="true" />;
}

function followSheet(sheet: HTMLElement, close: () => void): () => void {
  const rules = (): PullRules => {
    const height = sheet.offsetHeight;
    return { axis: 'y', sign: 1, farPx: Math.min(FAR_PX, height / 3), mostPx: height, fling: FLING };
  };
  return followFinger(sheet, rules, {
    // A sheet may stand over this one.
    mayPull: (target) => target.closest('dialog, [popover]') === sheet && !isScrolled(target, sheet),
    onPull: (by) => {
      sheet.style.translate = `0 ${by}px`;
    },
    onEnd: (isDone, by) => {
      const here = `0 ${by}px`;
      const isStill = window.matchMedia(REDUCED).matches;
      if (isDone && isStill) return close();
      // What closes stays below the edge until it is gone.
      if (isDone) sheet.style.translate = '0 100%';
      else sheet.style.removeProperty('translate');
      if (isStill) return;
      const move = sheet.animate([{ translate: here }, { translate: isDone ? '0 100%' : '0 0' }], MOVE);
      move.onfinish = () => {
        if (!isDone || !sheet.isConnected) return;
        close();
        // A menu of the sidebar is used again.
        sheet.style.removeProperty('translate');
      };
    },
  });
}

/** Whether something between the finger and the sheet is scrolled, so that the finger scrolls it back. */
function isScrolled(from: Element, sheet: HTMLElement): boolean {
  if (from.closest('[data-grip]') !== null) return false;
  if (from.matches('input, textarea, select')) return true;
  for (let element: Element | null = from; element !== null; element = element.parentElement) {
    if (element.scrollTop > 0) return true;
    if (element === sheet) return false;
  }
  return false;
}
