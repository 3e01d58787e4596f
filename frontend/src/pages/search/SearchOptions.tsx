import { type FormEvent, useEffect, useState } from 'react';
import type { FilterName } from '../../../../protocol/search/query.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Door } from '../../ui/Door.tsx';
import base from '../../ui/Option.module.css';
import { isDayValue, isoDay, type Option } from './options.ts';
import styles from './SearchOptions.module.css';

interface SearchOptionsProps {
  readonly name: FilterName;
  readonly options: readonly Option[];
  /** The place of the active one. */
  readonly active: number;
  readonly onActivate: (place: number) => void;
  readonly onPick: (value: string) => void;
}

const DAYS: readonly FilterName[] = ['before', 'after', 'on'];

export function optionId(place: number): string {
  return `search-option-${place}`;
}

/** What a filter can have, beneath the field. The focus stays there, which names the active one. */
export function SearchOptions({ name, options, active, onActivate, onPick }: SearchOptionsProps) {
  const { search: texts } = useScreenTexts();
  const isDay = DAYS.includes(name);

  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  if (options.length === 0 && !isDay) return null;
  return (
    <div className={`${base.list} ${styles.options}`}>
      <div
        id="search-options"
        role="listbox"
        aria-label={texts.options}
        // The focus, and a phone's keyboard, stay.
        onPointerDown={(event) => event.preventDefault()}
      >
        {options.map((option, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
          <div
            key={option.value}
            id={optionId(place)}
            className={`${base.option} ${styles.option}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            onPointerMove={() => place !== active && onActivate(place)}
            onClick={() => onPick(option.value)}
          >
            <Face option={option} />
            <span className={base.label}>{option.label}</span>
            {option.note !== undefined && (
              <span className={`${base.note} ${styles.note}`}>{option.note}</span>
            )}
          </div>
        ))}
      </div>
      {isDay && <OtherDay onPick={onPick} />}
    </div>
  );
}

function Face({ option: { face } }: { readonly option: Option }) {
  if (face?.kind === 'person') return <Avatar userId={face.id} username={face.username} size="tiny" />;
  if (face?.kind !== 'room') return null;
  const { id, name, emoji, hue } = face.room;
  return <Door size="row" roomId={id} name={name} emoji={emoji} hue={hue} />;
}

/** Any day, by the calendar of the browser. */
function OtherDay({ onPick }: { readonly onPick: (value: string) => void }) {
  const { search: texts } = useScreenTexts();
  const [day, setDay] = useState('');

  function take(event: FormEvent): void {
    event.preventDefault();
    if (isDayValue(day)) onPick(day);
  }

  return (
    <form className={styles.other} onSubmit={take}>
      <label className={styles.day}>
        <span>{texts.otherDay}</span>
        <input
          type="date"
          max={isoDay(new Date())}
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
      </label>
      <Button type="submit" aria-disabled={!isDayValue(day)}>
        {texts.take}
      </Button>
    </form>
  );
}
