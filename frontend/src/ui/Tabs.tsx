import type { KeyboardEvent } from 'react';
import styles from './Tabs.module.css';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  /** Each tab has the id `<id>-<name>`, and controls the element `<id>-panel`. */
  readonly id: string;
  readonly className?: string | undefined;
  readonly textOf: (name: Name) => string;
  readonly onChoose: (name: Name) => void;
}

/** A row of tabs. The arrow keys move between them. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, names, chosen, id, className, textOf, onChoose } = props;

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length] ?? chosen;
    onChoose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  }

  return (
    <div
      className={[styles.tabs, className].filter(Boolean).join(' ')}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {names.map((name) => (
        <button
          key={name}
          id={`${id}-${name}`}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          aria-controls={`${id}-panel`}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {textOf(name)}
        </button>
      ))}
    </div>
  );
}
