import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useLanguage } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { isTouch, NARROW, useMedia } from '../../stores/use-media.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { chooseTone, chosenTone, recentEmoji, rememberEmoji } from './chosen-emoji.ts';
import { cellId, EmojiGrid } from './EmojiGrid.tsx';
import styles from './EmojiPicker.module.css';
import { EMOJI_GROUPS, type Emoji, type EmojiSet, loadEmoji } from './emoji-data.ts';
import { findEmoji } from './find-emoji.ts';
import { GroupBar } from './GroupBar.tsx';
import { type Cell, moveInGrid, type Section, sectionRows } from './picker-rows.ts';
import { placeBeside } from './place-beside.ts';
import { SkinTones } from './SkinTones.tsx';
import { type Tone, withTone } from './skin-tone.ts';

/** The keys that lead from the search field into the grid. */
const ENTERS_GRID = new Set(['ArrowDown', 'ArrowRight', 'PageDown']);

interface EmojiPickerProps {
  /** Receives the emoji, after the picker has closed and given the focus back. */
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
  /** What was pressed to open it; it opens beside that. On a phone it is a sheet at the lower edge. */
  readonly anchor?: HTMLElement | null;
}

/**
 * Finds any emoji: by its name, among the latest, or by group. The focus stays in the search field; the arrow keys move
 * in the grid (the combobox pattern with a grid, ARIA Authoring Practices Guide).
 */
export function EmojiPicker({ onPick, onClose, anchor }: EmojiPickerProps) {
  const { emoji: texts } = useScreenTexts();
  const language = useLanguage((store) => store.language);
  const { loaded, reload } = useLoaded(useCallback(() => loadEmoji(language), [language]));
  const isNarrow = useMedia(NARROW);
  const dialog = useRef<HTMLDialogElement>(null);
  const [place] = useState(() => (anchor ? placeBeside(anchor.getBoundingClientRect()) : undefined));

  useEffect(() => {
    // The keyboard of a touch screen would cover the picker.
    if (isTouch()) dialog.current?.focus();
  }, []);

  return (
    <Dialog
      ref={dialog}
      className={styles.picker}
      style={isNarrow ? undefined : place}
      data-placed={place !== undefined && !isNarrow}
      aria-label={texts.title}
      tabIndex={-1}
      data-testid="emoji-picker"
      onClose={onClose}
    >
      <Finder
        set={loaded.status === 'ready' ? loaded.value : null}
        columns={isNarrow ? 7 : 9}
        onPick={onPick}
        onClose={onClose}
      >
        <WhenLoaded loaded={loaded} onRetry={reload}>
          {() => null}
        </WhenLoaded>
      </Finder>
    </Dialog>
  );
}

interface FinderProps {
  /** Null: still on their way. */
  readonly set: EmojiSet | null;
  readonly columns: number;
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
  /** Stands in place of the emoji while there are none. */
  readonly children: ReactNode;
}

/** The search field takes keys at once, and what was typed is looked for when the emoji have come. */
function Finder({ set, columns, onPick, onClose, children }: FinderProps) {
  const { emoji: texts } = useScreenTexts();
  const id = useId();
  const userId = chat().user?.id ?? 0;
  const [query, setQuery] = useState('');
  const [tone, setTone] = useState<Tone>(() => chosenTone(userId));
  /** Null: none yet; then Enter picks the first of what was found. */
  const [active, setActive] = useState<Cell | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = query.trim();

  // Not while it is open: what was just picked does not move the others.
  const recent = useMemo(() => (set === null ? [] : known(set, recentEmoji(userId))), [set, userId]);
  const sections = useMemo<readonly Section[]>(() => {
    if (set === null) return [];
    if (wanted !== '') return [{ key: 'found', title: texts.found, emoji: findEmoji(set.all, wanted) }];
    const groups = EMOJI_GROUPS.map((key) => {
      return { key, title: texts.groups[key], emoji: set.groups.get(key) ?? [] };
    });
    return recent.length === 0 ? groups : [{ key: 'recent', title: texts.recent, emoji: recent }, ...groups];
  }, [set, wanted, recent, texts]);
  const rows = useMemo(
    () => sections.flatMap(({ emoji }) => sectionRows(emoji, columns)),
    [sections, columns],
  );
  const at = active ?? (wanted === '' ? null : { row: 0, column: 0 });
  const current = at === null ? undefined : rows[at.row]?.[at.column];

  useEffect(() => {
    if (!isTouch()) input.current?.focus();
  }, []);

  function pick(emoji: Emoji): void {
    const picked = emoji.hasTones ? withTone(emoji.emoji, tone) : emoji.emoji;
    rememberEmoji(userId, emoji.emoji);
    // Closed at once, so that the focus is back and the next key follows the emoji.
    flushSync(onClose);
    onPick(picked);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    // In the text that is searched for, they move the caret.
    if (isSideways && query !== '' && active === null) return;
    if (event.key === 'Enter') {
      if (current !== undefined) pick(current);
    } else if (at === null) {
      if (!ENTERS_GRID.has(event.key)) return;
      setActive({ row: 0, column: 0 });
    } else if (event.key === 'ArrowUp' && at.row === 0) {
      // Back to the text.
      setActive(null);
    } else {
      const next = moveInGrid(rows, at, event.key);
      if (next !== null) setActive(next);
      else if (!event.key.startsWith('Arrow')) return;
    }
    event.preventDefault();
  }

  function onClick(event: MouseEvent): void {
    const cell = cellOf(event.target);
    const emoji = cell && rows[cell.row]?.[cell.column];
    if (emoji) pick(emoji);
  }

  return (
    <>
      <div className={styles.search}>
        <SearchIcon size={18} />
        <input
          ref={input}
          className={styles.input}
          role="combobox"
          aria-expanded={rows.length > 0}
          aria-haspopup="grid"
          aria-controls={`${id}grid`}
          aria-activedescendant={at === null || current === undefined ? undefined : cellId(id, at)}
          aria-autocomplete="list"
          aria-label={texts.search}
          placeholder={texts.search}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(null);
            scroller.current?.scrollTo({ top: 0 });
          }}
          onKeyDown={onKeyDown}
        />
      </div>
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
            <p className={styles.preview} aria-hidden="true">
              {current !== undefined && (
                <>
                  <span className={styles.large}>
                    {current.hasTones ? withTone(current.emoji, tone) : current.emoji}
                  </span>
                  <span className={styles.names}>
                    <span className={styles.name}>{current.label}</span>
                    <span className={styles.code}>
                      {current.codes[0] !== undefined && `:${current.codes[0]}:`}
                    </span>
                  </span>
                </>
              )}
            </p>
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

function known(set: EmojiSet, wanted: readonly string[]): readonly Emoji[] {
  if (wanted.length === 0) return [];
  const byEmoji = new Map(set.all.map((emoji) => [emoji.emoji, emoji]));
  return wanted.flatMap((emoji) => byEmoji.get(emoji) ?? []);
}
