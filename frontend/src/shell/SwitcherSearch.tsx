import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useFullTexts } from '../i18n/screens.ts';
import { IconButton } from '../ui/Button.tsx';
import { CloseIcon, SearchIcon } from '../ui/icons.tsx';
import { Keys } from '../ui/Keys.tsx';
import { KEY_NAMES } from '../ui/shortcuts.ts';
import styles from './QuickSwitcher.module.css';

interface SwitcherSearchProps {
  readonly query: string;
  readonly hasFound: boolean;
  /** The id of the item that Enter chooses. */
  readonly activeId: string | undefined;
  readonly onChange: (query: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClose: () => void;
}

/** The search field of the quick switcher, which has the focus while it is open. */
export function SwitcherSearch(props: SwitcherSearchProps) {
  const { query, hasFound, activeId, onChange, onKeyDown, onClose } = props;
  const text = useFullTexts();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    input.current?.focus();
  }, []);

  return (
    <div className={styles.search}>
      <SearchIcon size={18} />
      <input
        ref={input}
        className={styles.input}
        role="combobox"
        aria-expanded={hasFound}
        aria-controls="switcher-list"
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-label={text.switcher.title}
        placeholder={text.switcher.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Keys isHint keys={[KEY_NAMES.escape]} />
      <IconButton label={text.dialogs.close} className={styles.close} onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
