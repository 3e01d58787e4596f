import { type MouseEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { AddOwnEmoji } from './AddOwnEmoji.tsx';
import { chooseTone, chosenTone, rememberEmoji } from './chosen-emoji.ts';
import { cellId, EmojiGrid } from './EmojiGrid.tsx';
import styles from './EmojiPicker.module.css';
import { EmojiPreview } from './EmojiPreview.tsx';
import { EmojiSearch } from './EmojiSearch.tsx';
import type { Emoji, EmojiSet } from './emoji-data.ts';
import { GroupBar } from './GroupBar.tsx';
import { useOwnEmoji } from './own-emoji.ts';
import { type Cell, sectionRows } from './picker-rows.ts';
import { SkinTones } from './SkinTones.tsx';
import { type Tone, withTone } from './skin-tone.ts';
import { useActiveCell } from './use-active-cell.ts';
import { useEmojiSections } from './use-emoji-sections.ts';

interface EmojiFinderProps {
  /** Null: still on their way. */
  readonly set: EmojiSet | null;
  readonly hasOwn: boolean;
  readonly columns: number;
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
  /** Stands in place of the emoji while there are none. */
  readonly children: ReactNode;
}

/** The search field takes keys at once, and what was typed is looked for when the emoji have come. */
export function EmojiFinder({ set, hasOwn, columns, onPick, onClose, children }: EmojiFinderProps) {
  const { emoji: texts } = useScreenTexts();
  const id = useId();
  const userId = chat().user?.id ?? 0;
  const [query, setQuery] = useState('');
  const [tone, setTone] = useState<Tone>(() => chosenTone(userId));
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = query.trim();

  const sections = useEmojiSections(set, useOwnEmoji(hasOwn), wanted, userId);
  const rows = useMemo(
    () => sections.flatMap(({ emoji }) => sectionRows(emoji, columns)),
    [sections, columns],
  );
  const { at, current, setActive, onKeyDown } = useActiveCell({ rows, query, onPick: pick });

  function pick(emoji: Emoji): void {
    const picked = emoji.hasTones ? withTone(emoji.emoji, tone) : emoji.emoji;
    rememberEmoji(userId, emoji.emoji);
    // Closed at once, so that the focus is back and the next key follows the emoji.
    flushSync(onClose);
    onPick(picked);
  }

  function onClick(event: MouseEvent): void {
    const cell = cellOf(event.target);
    const emoji = cell && rows[cell.row]?.[cell.column];
    if (emoji) pick(emoji);
  }

  return (
    <>
      <EmojiSearch
        gridId={`${id}grid`}
        activeId={at === null || current === undefined ? undefined : cellId(id, at)}
        hasFound={rows.length > 0}
        query={query}
        onChange={(typed) => {
          setQuery(typed);
          setActive(null);
          scroller.current?.scrollTo({ top: 0 });
        }}
        onKeyDown={onKeyDown}
      />
      {set === null ? (
        children
      ) : (
        <>
          {wanted === '' && <GroupBar sections={sections} scroller={scroller} />}
          <EmojiGrid
            id={id}
            ref={scroller}
            sections={sections}
            columns={columns}
            tone={tone}
            active={at}
            onActivate={(target) => {
              const cell = cellOf(target);
              if (cell !== null && (cell.row !== at?.row || cell.column !== at.column)) setActive(cell);
            }}
            onClick={onClick}
          />
          {rows.length === 0 && <p className={styles.none}>{texts.none}</p>}
          <div className={styles.foot}>
            <EmojiPreview emoji={current} tone={tone} />
            {hasOwn && <AddOwnEmoji onClose={onClose} />}
            <SkinTones
              tone={tone}
              onChoose={(chosen) => {
                setTone(chosen);
                chooseTone(userId, chosen);
              }}
            />
          </div>
        </>
      )}
      <p className="visually-hidden" role="status">
        {set !== null && wanted !== '' && texts.count(rows.reduce((sum, row) => sum + row.length, 0))}
      </p>
    </>
  );
}

/** The place of a cell, from its element. */
function cellOf(target: EventTarget): Cell | null {
  const place = (target as HTMLElement).dataset.cell?.split('-').map(Number);
  return place === undefined ? null : { row: place[0] ?? 0, column: place[1] ?? 0 };
}
