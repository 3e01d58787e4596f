import { useId, useLayoutEffect, useRef, useState } from 'react';
import { type Message, messagesApi, type Reactions } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useMessageParts } from '../../parts/markdown/use-message-parts.ts';
import { chat } from '../../stores/chat.ts';
import { usePeople } from '../../stores/people.ts';
import { focusRow } from './focus-row.ts';
import styles from './MessageFoot.module.css';
import { toggleReaction } from './message-commands.ts';

interface ReactionChipProps {
  readonly message: Message;
  readonly reaction: Reactions;
  readonly isOwn: boolean;
  readonly active: boolean;
  /** It has come while the reader looked. */
  readonly isNew: boolean;
}

/** One emoji and how many people reacted with it. Pressing it joins them, or takes one's own back. */
export function ReactionChip({ message, reaction, isOwn, active, isNew }: ReactionChipProps) {
  const { message: texts } = useScreenTexts();
  const id = useId();
  const parts = useMessageParts();
  const { emoji, count, user_ids } = reaction;
  const [isLookedAt, setLookedAt] = useState(false);
  const pop = usePop(isNew, count);
  const who = useNames(message, emoji, user_ids, isLookedAt);
  const tooltip = useRef<HTMLSpanElement>(null);
  const held = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wasHeld = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more names make it wider.
  useLayoutEffect(() => {
    if (isLookedAt) keepWithinMessage(tooltip.current);
  }, [isLookedAt, who]);

  return (
    <span className={styles.place}>
      <button
        type="button"
        className={styles.chip}
        aria-pressed={isOwn}
        aria-label={texts.reaction(emoji.replaceAll(':', ''), count)}
        aria-describedby={isLookedAt ? id : undefined}
        tabIndex={active ? 0 : -1}
        data-testid="reaction"
        {...pop}
        onPointerEnter={({ pointerType }) => setLookedAt(pointerType === 'mouse')}
        onPointerLeave={() => setLookedAt(false)}
        onFocus={({ currentTarget }) => setLookedAt(currentTarget.matches(':focus-visible'))}
        onBlur={() => setLookedAt(false)}
        onPointerDown={({ pointerType }) => {
          wasHeld.current = false;
          if (pointerType === 'mouse') return;
          // A long press shows who, as a pointer over it does.
          held.current = setTimeout(() => {
            wasHeld.current = true;
            setLookedAt(true);
          }, 400);
        }}
        onPointerUp={() => clearTimeout(held.current)}
        onPointerCancel={() => clearTimeout(held.current)}
        onClick={({ currentTarget }) => {
          if (isOwn && count === 1) focusRow(currentTarget);
          if (!wasHeld.current) toggleReaction(message, emoji);
          wasHeld.current = false;
        }}
      >
        <span className={styles.emoji}>{parts === null ? emoji : <parts.EmojiText text={emoji} />}</span>
        <span className={styles.count}>{texts.count(count)}</span>
      </button>
      {isLookedAt && (
        <span ref={tooltip} id={id} role="tooltip" className={styles.who}>
          {who}
        </span>
      )}
    </span>
  );
}

/** Lets a reaction spring that has come, or that somebody has joined, while the reader looked. */
function usePop(isNew: boolean, count: number) {
  const [pops, setPops] = useState(isNew);
  const before = useRef(count);
  useLayoutEffect(() => {
    if (count > before.current) setPops(true);
    before.current = count;
  }, [count]);
  return { 'data-popped': pops ? '' : undefined, onAnimationEnd: () => setPops(false) };
}

/** Between the names and the end of their message. */
const MARGIN_PX = 8;

/** Moves it back by as much as it is too wide for its message on this side. */
function keepWithinMessage(tooltip: HTMLElement | null): void {
  const message = tooltip?.closest('[data-row]')?.getBoundingClientRect();
  if (!tooltip || !message) return;
  tooltip.style.translate = '';
  const over = tooltip.getBoundingClientRect().right - (message.right - MARGIN_PX);
  if (over > 0) tooltip.style.translate = `${-over}px`;
}

/** The names of the people who reacted that this client knows. The server has the others. */
function useNames(message: Message, emoji: string, ids: readonly number[], isWanted: boolean): string {
  const { message: texts } = useScreenTexts();
  const me = chat().user?.id ?? 0;
  const profiles = usePeople((store) => store.profiles);
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map());
  const asked = useRef<Message | null>(null);
  if (isWanted && asked.current !== message) {
    asked.current = message;
    messagesApi(chat().api.requests)
      .reactions(message.room_id, message.id)
      .then(
        (all) => {
          const people = all.find((one) => one.emoji === emoji)?.people ?? [];
          setNames(new Map(people.map(({ user_id: id, username }) => [id, username])));
        },
        () => undefined,
      );
  }
  const all = ids.includes(me) ? [me, ...ids.filter((id) => id !== me)] : ids;
  const found = all.flatMap((id) => {
    if (id === me) return [texts.you];
    const profile = profiles.get(id);
    return profile?.display_name || (profile?.username ?? names.get(id)) || [];
  });
  return found.length === 0 ? emoji : texts.who(found, all.length - found.length, emoji);
}
