import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { isInSight, nearestInSight } from './in-sight.ts';
import type { ScrollTarget } from './use-timeline-scroll.ts';

const MESSAGES = '[data-row=message]';
/** When nothing has moved for so long, the Tab stop is looked for anew. */
const REST_MS = 100;

interface TimelineKeysOptions {
  /** What the box is in, with the buttons over it. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly jump: (target: ScrollTarget) => void;
  /** Escape: back to where one writes. */
  readonly onLeave: () => void;
}

interface TimelineKeys {
  /** The key of the message that Tab leads to; null: the last one. */
  readonly activeKey: string | null;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
  /** The focus, if it is among the messages, goes along to the first that is new. To be called before one jumps there. */
  readonly followToNew: () => void;
  /** To be called around every change of the document: the focus may have to follow a jump, or to be saved. */
  readonly noteFocus: () => void;
  readonly placeFocus: () => void;
  /** To be called with every scroll. */
  readonly onScroll: () => void;
}

/**
 * One Tab stop for all messages; arrows, Home and End go from one to another. It is the message that had the focus last, as
 * long as that is in sight: from then on the nearest to it that is, as nobody wants to be taken back to where they were.
 */
export function useTimelineKeys({ frame, box, jump, onLeave }: TimelineKeysOptions): TimelineKeys {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  /** How far below the top of the box it was when it was in the document last; null: it has not been there. */
  const activeTop = useRef<number | null>(null);
  /** Set by a jump, until what it leads to is there. */
  const focusing = useRef<'first' | 'new' | 'last' | null>(null);
  const hadFocus = useRef<{ element: Element; isInBox: boolean } | null>(null);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);

  function messages(): HTMLElement[] {
    return [...(box.current?.querySelectorAll<HTMLElement>(MESSAGES) ?? [])];
  }

  /** The message that has the focus or would get it. */
  function reached(all: readonly HTMLElement[]): HTMLElement | undefined {
    if (box.current === null) return undefined;
    const frame = box.current.getBoundingClientRect();
    const focused = all.find((message) => message.contains(document.activeElement));
    const active = focused ?? all.find(({ dataset }) => dataset.key === activeKey);
    if (active !== undefined && (active === focused || isInSight(active, frame))) return active;
    const last = all.at(-1);
    if (last === undefined || isInSight(last, frame)) return last;
    const top = active?.getBoundingClientRect().top ?? frame.top + (activeTop.current ?? 0);
    return nearestInSight(all, top, frame);
  }

  function rest(): void {
    clearTimeout(resting.current);
    resting.current = setTimeout(() => latestRest.current(), REST_MS);
  }

  const latestRest = useRef(() => {});
  useEffect(() => {
    latestRest.current = () => {
      const all = messages();
      const stop = reached(all);
      const isLast = stop === all.at(-1) && !stop?.contains(document.activeElement);
      setActiveKey(isLast ? null : (stop?.dataset.key ?? null));
    };
  });
  useEffect(() => () => clearTimeout(resting.current), []);

  function step(by: 1 | -1): void {
    const all = messages();
    const current = all.findIndex((message) => message.contains(document.activeElement));
    const next = current === -1 ? reached(all) : all[current + by];
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
      target(focusing.current)?.focus({ preventScroll: true });
      focusing.current = null;
    } else if (hadFocus.current?.element.isConnected === false) {
      // A button over the messages is gone with what it was for: there they are. A message that went out of the document:
      // the next key goes on from what is in sight.
      const message = hadFocus.current.isInBox ? undefined : reached(messages());
      (message ?? box.current)?.focus({ preventScroll: true });
    }
    rest();
  }

  function target(where: 'first' | 'new' | 'last'): HTMLElement | null | undefined {
    if (where === 'new') return box.current?.querySelector<HTMLElement>(`[data-row=new] ~ ${MESSAGES}`);
    return messages().at(where === 'first' ? 0 : -1);
  }

  function isInBox(element: Element | null): boolean {
    return element !== null && box.current?.contains(element) === true;
  }

  function onFocus(): void {
    const message = document.activeElement?.closest<HTMLElement>(MESSAGES);
    if (message?.dataset.key !== undefined) setActiveKey(message.dataset.key);
  }

  const noteFocus = () => {
    const element = document.activeElement;
    const isHere = element !== null && frame.current?.contains(element) === true;
    hadFocus.current = isHere ? { element, isInBox: isInBox(element) } : null;
    if (activeKey === null) return;
    const active = messages().find(({ dataset }) => dataset.key === activeKey);
    if (active !== undefined && box.current !== null)
      activeTop.current = active.getBoundingClientRect().top - box.current.getBoundingClientRect().top;
  };

  const followToNew = () => {
    if (isInBox(document.activeElement)) focusing.current = 'new';
  };

  return { activeKey, onKeyDown, onFocus, followToNew, noteFocus, placeFocus, onScroll: rest };
}
