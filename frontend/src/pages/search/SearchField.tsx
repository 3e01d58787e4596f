import {
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { unfinishedFilter, writeFilter } from '../../../../protocol/search/query.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import { FilterChip } from './FilterChip.tsx';
import type { Option } from './options.ts';
import styles from './Search.module.css';
import { optionId, SearchOptions } from './SearchOptions.tsx';
import { dropFilter, setQuery, setText, submit, takeFilter, useSearchField } from './search-store.ts';
import { useOptions } from './use-options.ts';

interface SearchFieldProps {
  readonly ref: Ref<HTMLInputElement>;
}

/** The field of the search: its filters as chips, and what is typed behind them, with what a filter can have. */
export function SearchField({ ref }: SearchFieldProps) {
  const { search: texts } = useScreenTexts();
  const { text, filters } = useSearchField();
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { isOpen, options, unfinished, active, setActive, dismiss, hold } = useOpenOptions(text);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);

  function pick(value: string): void {
    if (unfinished === null) return;
    const { name, isExcluded } = unfinished;
    takeFilter({ name, value, isExcluded });
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isAtStart = event.currentTarget.selectionEnd === 0;
    const last = filters.at(-1);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (isOpen && step !== 0 && options.length > 0)
      setActive((active + step + options.length) % options.length);
    else if (isOpen && active >= 0 && isTaking(event)) pick(options[active]?.value ?? '');
    else if (isOpen && event.key === 'Escape') dismiss();
    else if (event.key === 'Enter') submit();
    else if (event.key === 'Backspace' && isAtStart && last !== undefined) dropFilter(last);
    else if (event.key === 'ArrowLeft' && isAtStart && last !== undefined) chips(box.current).at(-1)?.focus();
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only knows whether what is in it has the focus.
    <div className={styles.field} onFocus={() => hold(true)} onBlur={(event) => hold(isWithin(event))}>
      <div ref={box} className={styles.box} data-chips={filters.length > 0}>
        <SearchIcon size={18} />
        <Chips box={box} input={input} />
        <input
          ref={input}
          className={styles.input}
          role="combobox"
          aria-expanded={isOpen && options.length > 0}
          aria-controls="search-options"
          aria-activedescendant={isOpen && active >= 0 ? optionId(active) : undefined}
          aria-autocomplete="list"
          inputMode="search"
          enterKeyHint="search"
          aria-label={texts.title}
          placeholder={filters.length > 0 ? '' : texts.placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={512}
          value={text}
          onChange={({ target, nativeEvent }) =>
            setText(target.value, 'isComposing' in nativeEvent && nativeEvent.isComposing === true)
          }
          onCompositionEnd={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {(text !== '' || filters.length > 0) && <Clear input={input} />}
      </div>
      {isOpen && unfinished !== null && (
        <SearchOptions
          name={unfinished.name}
          options={options}
          active={active}
          onActivate={setActive}
          onPick={pick}
        />
      )}
      <p className="visually-hidden" role="status">
        {isOpen && texts.offered(options.length)}
      </p>
    </div>
  );
}

interface ChipsProps {
  readonly box: RefObject<HTMLElement | null>;
  readonly input: RefObject<HTMLInputElement | null>;
}

function Chips({ box, input }: ChipsProps) {
  const filters = useSearchField((store) => store.filters);
  return filters.map((filter, index) => (
    <FilterChip
      key={writeFilter(filter)}
      filter={filter}
      onRemove={() => {
        dropFilter(filter);
        input.current?.focus();
      }}
      onMove={(by) => (chips(box.current)[index + by] ?? input.current)?.focus()}
    />
  ));
}

function Clear({ input }: Pick<ChipsProps, 'input'>) {
  const { search: texts } = useScreenTexts();
  return (
    <IconButton
      label={texts.clear}
      className={styles.clear}
      onClick={() => {
        setQuery('');
        input.current?.focus();
      }}
    >
      <CloseIcon size={16} />
    </IconButton>
  );
}

/** What is offered for the filter that is being typed, until one leaves the field or puts it away with Escape. */
function useOpenOptions(text: string) {
  const [hasFocus, hold] = useState(false);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const [chosen, setChosen] = useState({ text, active: 0 });
  const isOpen = hasFocus && dismissed !== text;
  const unfinished = isOpen ? unfinishedFilter(text) : null;
  const options: readonly Option[] = useOptions(unfinished);
  // Another letter begins at the best option again.
  const active = Math.min(chosen.text === text ? chosen.active : 0, options.length - 1);
  return {
    ...{ isOpen: unfinished !== null, options, unfinished, active, hold },
    setActive: (next: number) => setChosen({ text, active: next }),
    dismiss: () => setDismissed(text),
  };
}

function isTaking({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'Enter' || (key === 'Tab' && !shiftKey);
}

function isWithin({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return currentTarget.contains(relatedTarget as Node | null);
}

function chips(box: HTMLElement | null): readonly HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('[data-chip]') ?? [])];
}
