import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { isTouch } from '../../stores/use-media.ts';
import { SearchIcon } from '../../ui/icons.tsx';
import styles from './EmojiPicker.module.css';

interface EmojiSearchProps {
  /** The id of the grid that its keys move in. */
  readonly gridId: string;
  readonly activeId: string | undefined;
  readonly hasFound: boolean;
  readonly query: string;
  readonly onChange: (query: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The search field of the picker, which takes the focus except where that would raise a keyboard. */
export function EmojiSearch({ gridId, activeId, hasFound, query, onChange, onKeyDown }: EmojiSearchProps) {
  const { emoji: texts } = useScreenTexts();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!isTouch()) input.current?.focus();
  }, []);

  return (
    <div className={styles.search}>
      <SearchIcon size={18} />
      <input
        ref={input}
        className={styles.input}
        role="combobox"
        aria-expanded={hasFound}
        aria-haspopup="grid"
        aria-controls={gridId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-label={texts.search}
        placeholder={texts.search}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="done"
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
