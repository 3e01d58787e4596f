import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { nameKey } from '../../../../protocol/text.ts';
import { usePeople } from '../../stores/people.ts';
import { useRoom } from '../../stores/room.ts';
import boxStyles from './Composer.module.css';
import { useFoundPeople } from './found-people.ts';
import styles from './MentionMirror.module.css';
import { type MentionRange, mentionRanges } from './mention-ranges.ts';

interface MentionMirrorProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly content: string;
  readonly roomId: number;
}

/**
 * The text of the field once more, over it, with its mentions in colour: a text field has only one. The text of the
 * field is transparent meanwhile. Every letter stays in its place, so the caret is where it is seen.
 */
export function MentionMirror({ field, content, roomId }: MentionMirrorProps) {
  const mirror = useRef<HTMLDivElement>(null);
  const isKnown = useKnownNames(roomId);
  const isComposing = useComposition(field);
  const ranges = useMemo(() => mentionRanges(content, isKnown), [content, isKnown]);
  const isShown = ranges.length > 0 && !isComposing;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text may have scrolled with each change.
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null || !isShown) return;
    const follow = () => {
      if (mirror.current !== null) mirror.current.scrollTop = element.scrollTop;
    };
    follow();
    element.addEventListener('scroll', follow);
    return () => element.removeEventListener('scroll', follow);
  }, [field, isShown, content]);

  if (!isShown) return null;
  return (
    <div ref={mirror} className={boxStyles.mirror} dir="auto" aria-hidden="true" data-testid="mention-mirror">
      {paint(content, ranges)}{' '}
    </div>
  );
}

function paint(content: string, ranges: readonly MentionRange[]): ReactNode[] {
  let from = 0;
  const parts = ranges.flatMap(({ kind, start, end }) => {
    const before = content.slice(from, start);
    from = end;
    return [
      before,
      <span key={start} className={kind === 'room' ? styles.call : styles.mention}>
        {kind === 'person' ? withoutQuotes(content.slice(start, end)) : content.slice(start, end)}
      </span>,
    ];
  });
  return [...parts, content.slice(from)];
}

const QUOTED = /^([@＠])(["“”])(.*)(["“”])$/u;

function withoutQuotes(mention: string): ReactNode {
  const [, mark, open, name, close] = QUOTED.exec(mention) ?? [];
  if (mark === undefined) return mention;
  return (
    <>
      <span className={styles.quote} data-mark={mark}>
        {mark}
        {open}
      </span>
      {name}
      <span className={styles.quote}>{close}</span>
    </>
  );
}

/** Whether somebody whom this device has seen has the name. */
function useKnownNames(roomId: number): (key: string) => boolean {
  const profiles = usePeople((store) => store.profiles);
  const found = useFoundPeople();
  const users = useRoom(({ state }) => state?.users);
  return useMemo(() => {
    const keys = new Set([...profiles.values(), ...(users ?? [])].map(({ username }) => nameKey(username)));
    return (key) => keys.has(key) || (found.roomId === roomId && found.byKey.has(key));
  }, [profiles, found, users, roomId]);
}

/** An input method marks what it is composing: nothing lies over that. */
function useComposition(field: RefObject<HTMLTextAreaElement | null>): boolean {
  const [isComposing, setComposing] = useState(false);
  useEffect(() => {
    const element = field.current;
    const onStart = () => setComposing(true);
    const onEnd = () => setComposing(false);
    element?.addEventListener('compositionstart', onStart);
    element?.addEventListener('compositionend', onEnd);
    return () => {
      element?.removeEventListener('compositionstart', onStart);
      element?.removeEventListener('compositionend', onEnd);
    };
  }, [field]);
  return isComposing;
}
