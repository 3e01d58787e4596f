import { type ReactNode, use, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useText } from '../../i18n/catalogue.ts';
import { FoldsContext, isLongerThan } from './folds.ts';
import styles from './MessageFold.module.css';

interface MessageFoldProps {
  readonly rowKey: string;
  readonly content: string;
  /** The id of the element with the author's name. */
  readonly headId: string;
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
  readonly children: ReactNode;
}

/** A longer message is folded, to fewer lines than this: the button always reveals more than a line or two. */
const MAX_LINES = 26;
/** Characters that fit into a line, in an ordinary window and on the narrowest screen. */
const COLUMNS = { usual: 80, least: 16 };

/** A message that would push all others out of sight shows its first lines, and a button that shows the rest. */
export function MessageFold(props: MessageFoldProps) {
  // Very few messages need to be measured.
  return isLongerThan(props.content, MAX_LINES, COLUMNS.least) ? <Fold {...props} /> : props.children;
}

function Fold({ rowKey, content, headId, active, children }: MessageFoldProps) {
  const text = useText();
  const { opened, keep } = use(FoldsContext);
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // A guess that is mostly right, as rendering twice costs time.
  const [isLong, setLong] = useState(() => isLongerThan(content, MAX_LINES, COLUMNS.usual));
  const [isOpen, setOpen] = useState(() => opened.has(rowKey));

  useLayoutEffect(() => setLong(isTooHigh(inner.current)), []);
  useEffect(() => {
    // Highlighting arrived, a font, another width.
    const observer = new ResizeObserver(() => {
      const isStillLong = isTooHigh(inner.current);
      // The button disappears, so the focus goes to its message.
      if (!isStillLong && document.activeElement === button.current) focusMessage(button.current);
      setLong(isStillLong);
    });
    if (inner.current !== null) observer.observe(inner.current);
    return () => observer.disconnect();
  }, []);

  const isFolded = isLong && !isOpen;
  const reveal = useEffectEvent(open);
  useEffect(() => {
    const element = box.current;
    if (!isFolded || element === null) return;
    // The focus, the browser's search or a selection has reached the hidden part.
    const onScroll = () => element.scrollTop > 0 && reveal();
    element.addEventListener('scroll', onScroll);
    return () => element.removeEventListener('scroll', onScroll);
  }, [isFolded]);

  function open(): void {
    change(true, inner.current);
  }

  function close(): void {
    // When the start is out of sight, the text above shrinks and the button stays where it is. Else the text stays.
    const isBegun = box.current !== null && !startsInSight(box.current);
    change(false, isBegun ? button.current : inner.current);
  }

  function change(toOpen: boolean, still: Element | null): void {
    if (toOpen) opened.add(rowKey);
    else opened.delete(rowKey);
    if (still !== null) keep(still, () => flushSync(() => setOpen(toOpen)));
  }

  return (
    <>
      <div
        ref={box}
        className={isFolded ? styles.folded : undefined}
        data-testid="fold"
        data-folded={isFolded}
      >
        <div ref={inner}>{children}</div>
      </div>
      {isLong && (
        <button
          ref={button}
          type="button"
          className={styles.toggle}
          tabIndex={active ? 0 : -1}
          aria-describedby={headId}
          onClick={isOpen ? close : open}
        >
          {isOpen ? text.room.showLess : text.room.showAll}
        </button>
      )}
    </>
  );
}

function isTooHigh(element: HTMLElement | null): boolean {
  if (element === null) return false;
  return element.offsetHeight > MAX_LINES * Number.parseFloat(getComputedStyle(element).lineHeight);
}

function focusMessage(within: Element | null): void {
  within?.closest<HTMLElement>('[data-row=message]')?.focus({ preventScroll: true });
}

function startsInSight(element: Element): boolean {
  const scroller = element.closest('[role=log]');
  return scroller !== null && element.getBoundingClientRect().top >= scroller.getBoundingClientRect().top;
}
