import { type RefObject, useCallback, useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import { useLanguage } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chosenTone, rememberEmoji } from '../../parts/emoji/chosen-emoji.ts';
import { type EmojiSet, loadEmoji } from '../../parts/emoji/emoji-data.ts';
import { emojiByCode, findEmoji } from '../../parts/emoji/find-emoji.ts';
import { useOwnEmoji } from '../../parts/emoji/own-emoji.ts';
import { withTone } from '../../parts/emoji/skin-tone.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRoom } from '../../stores/room.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { CompletionList, optionId } from './CompletionList.tsx';
import { insertionOf, MOST_OPTIONS, type Option, roomOptions } from './completion-options.ts';
import { applyEdit } from './edit-by-key.ts';
import type { OpenQuery } from './open-query.ts';
import { usePeopleFor } from './use-people-for.ts';

interface CompletionProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly query: OpenQuery;
  readonly roomId: number;
  readonly userId: number;
  readonly onDismiss: () => void;
}

/** Completes a mention, or the name of an emoji, above the composer. */
export function Completion(props: CompletionProps) {
  return props.query.kind === 'person' ? <People {...props} /> : <EmojiNames {...props} />;
}

function People(props: CompletionProps) {
  const { query, roomId, userId } = props;
  const people = usePeopleFor(query.typed, roomId, MOST_OPTIONS);
  const members = useOwnRooms((store) => store.rooms.get(roomId)?.room.members ?? 0);
  const online = useRoom(({ state }) => state?.online ?? 0);
  const options = useMemo(() => {
    const found = people
      .filter(({ id }) => id !== userId)
      .map((person): Option => ({ kind: 'person', key: `u${person.id}`, person }));
    // Without letters, the people come first: a call of all is rarely meant.
    const calls = roomOptions(query.typed, { room: members, here: online });
    return [...found, ...calls].slice(0, MOST_OPTIONS);
  }, [people, userId, query.typed, members, online]);
  return <Options {...props} options={options} />;
}

function EmojiNames(props: CompletionProps) {
  const language = useLanguage((store) => store.language);
  const { loaded } = useLoaded(useCallback(() => loadEmoji(language), [language]));
  return loaded.status === 'ready' ? <EmojiOptions {...props} set={loaded.value} /> : null;
}

function EmojiOptions({ set, ...props }: CompletionProps & { readonly set: EmojiSet }) {
  const { query, userId, field } = props;
  const { typed, isClosed, start, end } = query;
  const own = useOwnEmoji(true);
  const options = useMemo(() => {
    const tone = chosenTone(userId);
    const exact = isClosed ? emojiByCode(set.all, typed) : undefined;
    const found = isClosed ? (exact ? [exact] : []) : findEmoji([...own, ...set.all], typed, MOST_OPTIONS);
    return found.map((emoji): Option => {
      const shown = emoji.hasTones ? withTone(emoji.emoji, tone) : emoji.emoji;
      return { kind: 'emoji', key: emoji.emoji, emoji, shown };
    });
  }, [set, own, typed, isClosed, userId]);

  const insert = useEffectEvent(([option]: readonly Option[]) => {
    if (option !== undefined && field.current !== null) choose(field.current, { start, end }, option, userId);
  });
  useEffect(() => {
    // `:tada:` names one, so nothing is left to choose.
    if (isClosed) insert(options);
  }, [isClosed, options]);

  return isClosed ? null : <Options {...props} options={options} />;
}

function Options({
  field,
  query,
  userId,
  onDismiss,
  options,
}: CompletionProps & { readonly options: readonly Option[] }) {
  const { completing } = useScreenTexts();
  const id = useId();
  const [chosen, setChosen] = useState({ typed: query.typed, key: '' });
  // Another letter begins at the best option again.
  const index = options.findIndex(({ key }) => chosen.typed === query.typed && key === chosen.key);
  const active = Math.max(0, index);
  const current = options[active];

  function pick(option: Option): void {
    if (field.current !== null) choose(field.current, query, option, userId);
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229 || options.length === 0) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = options.at((active + step) % options.length);
    if (step !== 0 && next !== undefined) setChosen({ typed: query.typed, key: next.key });
    else if ((event.key === 'Enter' || event.key === 'Tab') && current !== undefined) pick(current);
    else if (event.key === 'Escape') onDismiss();
    else return;
    // Neither the composer nor a shortcut of the page takes the key, too.
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const element = field.current;
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    element?.addEventListener('keydown', listen);
    return () => element?.removeEventListener('keydown', listen);
  }, [field]);

  const isOpen = options.length > 0;
  useEffect(() => {
    const element = field.current;
    if (!isOpen || element === null) return;
    const attributes = {
      'aria-controls': `${id}list`,
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
    };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return () => {
      for (const name of [...Object.keys(attributes), 'aria-activedescendant']) element.removeAttribute(name);
    };
  }, [field, id, isOpen]);
  useEffect(() => {
    if (current !== undefined) field.current?.setAttribute('aria-activedescendant', optionId(id, current));
  }, [field, id, current]);

  return (
    <>
      {isOpen && (
        <CompletionList
          id={id}
          options={options}
          active={current}
          onActivate={({ key }) => setChosen({ typed: query.typed, key })}
          onPick={pick}
        />
      )}
      <p className="visually-hidden" role="status">
        {completing.count(options.length)}
      </p>
    </>
  );
}

/** Puts the choice and a space in the place of what was typed. */
function choose(
  field: HTMLTextAreaElement,
  { start, end }: Pick<OpenQuery, 'start' | 'end'>,
  option: Option,
  userId: number,
): void {
  if (option.kind === 'emoji') rememberEmoji(userId, option.emoji.emoji);
  const space = field.value.charAt(end) === ' ' ? '' : ' ';
  const insert = insertionOf(option) + space;
  const caret = start + insert.length + (space === '' ? 1 : 0);
  applyEdit(field, { start, end, insert, select: { start: caret, end: caret } });
}
