import { useScreenTexts } from '../i18n/screens.ts';
import { SearchIcon } from '../ui/icons.tsx';
import { Keys } from '../ui/Keys.tsx';
import { KEY_NAMES } from '../ui/shortcuts.ts';
import styles from './QuickSwitcher.module.css';

interface SwitcherMessagesProps {
  readonly wanted: string;
  readonly onSearch: () => void;
}

/** At the end: the way to the messages that have what is typed. The key Tab leads there, too. */
export function SwitcherMessages({ wanted, onSearch }: SwitcherMessagesProps) {
  const { search } = useScreenTexts();
  return (
    <button
      type="button"
      className={styles.messages}
      aria-keyshortcuts={wanted === '' ? undefined : 'Tab'}
      onClick={onSearch}
    >
      <SearchIcon size={18} />
      <span className={styles.label}>{wanted === '' ? search.title : search.messagesWith(wanted)}</span>
      <Keys isHint keys={wanted === '' ? [KEY_NAMES.command, KEY_NAMES.shift, 'F'] : ['Tab']} />
    </button>
  );
}
