import { useEffect } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { EmojiText } from '../../parts/emoji/EmojiText.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import base from '../../ui/Option.module.css';
import styles from './Completion.module.css';
import type { Option } from './completion-options.ts';

interface CompletionListProps {
  /** Its ids begin with this. */
  readonly id: string;
  readonly options: readonly Option[];
  readonly active: Option | undefined;
  readonly onActivate: (option: Option) => void;
  readonly onPick: (option: Option) => void;
}

/** The options. The focus stays in the composer, which names the active one. */
export function CompletionList({ id, options, active, onActivate, onPick }: CompletionListProps) {
  const { completing } = useScreenTexts();

  useEffect(() => {
    if (active !== undefined)
      document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  return (
    <div
      id={`${id}list`}
      className={`${base.list} ${styles.list}`}
      role="listbox"
      aria-label={options[0]?.kind === 'emoji' ? completing.emoji : completing.people}
      data-testid="completion"
      // The focus, and a phone's keyboard, stay.
      onPointerDown={(event) => event.preventDefault()}
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the composer has the keys.
        <div
          key={option.key}
          id={optionId(id, option)}
          className={`${base.option} ${styles.option}`}
          role="option"
          tabIndex={-1}
          aria-selected={option.key === active?.key}
          onPointerMove={() => option.key !== active?.key && onActivate(option)}
          onClick={() => onPick(option)}
        >
          <OptionView option={option} />
        </div>
      ))}
    </div>
  );
}

export function optionId(id: string, { key }: Option): string {
  return `${id}-${key}`;
}

function OptionView({ option }: { readonly option: Option }) {
  const { completing } = useScreenTexts();
  switch (option.kind) {
    case 'person': {
      const { id, username, displayName, isMember } = option.person;
      return (
        <>
          <Avatar userId={id} username={username} size="tiny" />
          <span className={base.label}>{displayName || username}</span>
          {displayName !== '' && displayName !== username && (
            <span className={`${base.note} ${styles.note}`}>{username}</span>
          )}
          {!isMember && <span className={styles.aside}>{completing.notHere}</span>}
        </>
      );
    }
    case 'room':
      return (
        <>
          <span className={styles.mark} aria-hidden="true">
            @
          </span>
          <span className={base.label}>{option.room}</span>
          <span className={`${base.note} ${styles.note}`}>{completing.calls[option.room](option.count)}</span>
        </>
      );
    case 'emoji':
      return (
        <>
          <span className={styles.emoji}>
            {option.shown.startsWith(':') ? <EmojiText text={option.shown} /> : option.shown}
          </span>
          <span className={base.label}>{option.emoji.label}</span>
          {option.emoji.codes[0] !== undefined && (
            <span className={`${base.note} ${styles.note}`}>:{option.emoji.codes[0]}:</span>
          )}
        </>
      );
  }
}
