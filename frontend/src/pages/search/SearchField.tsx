import { type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import styles from './Search.module.css';
import { setText, submit, useSearchField } from './search-store.ts';

interface SearchFieldProps {
  readonly ref: Ref<HTMLInputElement>;
}

/** The field of the search. */
export function SearchField({ ref }: SearchFieldProps) {
  const { search: texts } = useScreenTexts();
  const text = useSearchField((store) => store.text);
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.key !== 'Enter') return;
    event.preventDefault();
    submit();
  }

  function clear(): void {
    setText('');
    input.current?.focus();
  }

  return (
    <div className={styles.box}>
      <SearchIcon size={18} />
      <input
        ref={input}
        className={styles.input}
        role="combobox"
        aria-expanded={false}
        aria-controls="search-options"
        aria-autocomplete="list"
        inputMode="search"
        enterKeyHint="search"
        aria-label={texts.title}
        placeholder={texts.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={512}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <IconButton label={texts.clear} className={styles.clear} onClick={clear}>
          <CloseIcon size={16} />
        </IconButton>
      )}
    </div>
  );
}
