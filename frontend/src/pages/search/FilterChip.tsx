import type { KeyboardEvent } from 'react';
import { type Filter, writeFilter } from '../../../../protocol/search/query.ts';
import { nameKey } from '../../../../protocol/text.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { usePeople } from '../../stores/people.ts';
import { CloseIcon } from '../../ui/icons.tsx';
import { filterLabel } from './filter-label.ts';
import styles from './Search.module.css';

interface FilterChipProps {
  readonly filter: Filter;
  readonly onRemove: () => void;
  /** To the chip before or behind it, or the field. */
  readonly onMove: (by: -1 | 1) => void;
}

/** A filter of the search, which a press removes. */
export function FilterChip({ filter, onRemove, onMove }: FilterChipProps) {
  const { search: texts } = useScreenTexts();
  const label = useFilterLabel(filter);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowLeft') onMove(-1);
    else if (event.key === 'ArrowRight') onMove(1);
    else if (event.key === 'Backspace' || event.key === 'Delete') onRemove();
    else return;
    event.preventDefault();
  }

  return (
    <button
      type="button"
      className={styles.chip}
      data-chip={writeFilter(filter)}
      aria-label={texts.remove(label)}
      title={texts.remove(label)}
      onClick={onRemove}
      onKeyDown={onKeyDown}
    >
      <span className={styles.chipText}>{label}</span>
      <CloseIcon size={12} />
    </button>
  );
}

/** What a filter says: a person by the name that they go by. */
export function useFilterLabel(filter: Filter): string {
  const text = useText();
  const { search: texts } = useScreenTexts();
  const isPerson = filter.name !== 'in' || filter.value.startsWith('@');
  const key = nameKey(filter.value.replace(/^@/, ''));
  const person = usePeople(({ profiles }) => {
    if (!isPerson) return undefined;
    for (const { username, display_name: name } of profiles.values())
      if (nameKey(username) === key) return name || username;
    return undefined;
  });
  return filterLabel(text, texts, filter, (value) => person ?? value);
}
