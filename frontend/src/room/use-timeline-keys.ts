import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import type { ScrollTarget } from './use-timeline-scroll.ts';

const MESSAGES = '[data-row=message]';

interface TimelineKeysOptions {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly jump: (target: ScrollTarget) => void;
  /** Escape: back to where one writes. */
  readonly onLeave: () => void;
}

interface TimelineKeys {
  /** The key of the message that had the focus last; null: none yet. */
  readonly activeKey: string | null;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
  /** To be called around every change of the document: the focus may have to follow a jump, or to be saved. */
  readonly noteFocus: () => void;
  readonly placeFocus: () => void;
}

/** One Tab stop for all messages; arrows, Home and End go from one to another. */
export function useTimelineKeys({ box, jump, onLeave }: TimelineKeysOptions): TimelineKeys {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  /** Set by a jump, until what it leads to is there. */
  const focusing = useRef<'first' | 'last' | null>(null);
  const hadFocus = useRef(false);

  function messages(): HTMLElement[] {
    return [...(box.current?.querySelectorAll<HTMLElement>(MESSAGES) ?? [])];
  }

  function step(by: 1 | -1): void {
    const all = messages();
    const current = all.findIndex((message) => message.contains(document.activeElement));
    const next = current === -1 ? all.at(-1) : all[current + by];
    next?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A long code block scrolls by the same keys; only Escape leads out of it.
    const isInRegion = event.target instanceof Element && event.target.closest('[role=region]') !== null;
    if (isInRegion && event.key !== 'Escape') return;
    switch (event.key) {
      case 'ArrowUp':
      case 'ArrowDown':
        step(event.key === 'ArrowUp' ? -1 : 1);
        break;
      case 'Home':
      case 'End':
        focusing.current = event.key === 'Home' ? 'first' : 'last';
        jump(event.key === 'Home' ? 'start' : 'end');
        break;
      case 'Escape':
        onLeave();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  function placeFocus(): void {
    if (focusing.current !== null) {
      const all = messages();
      all.at(focusing.current === 'first' ? 0 : -1)?.focus({ preventScroll: true });
      focusing.current = null;
    } else if (hadFocus.current && !isWithin(document.activeElement)) {
      // What had it went out of the document: the next key goes on from here.
      box.current?.focus({ preventScroll: true });
    }
  }

  function isWithin(element: Element | null): boolean {
    return element !== null && box.current?.contains(element) === true;
  }

  function onFocus(): void {
    const message = document.activeElement?.closest<HTMLElement>(MESSAGES);
    if (message?.dataset.key !== undefined) setActiveKey(message.dataset.key);
  }

  const noteFocus = () => {
    hadFocus.current = isWithin(document.activeElement);
  };

  return { activeKey, onKeyDown, onFocus, noteFocus, placeFocus };
}
