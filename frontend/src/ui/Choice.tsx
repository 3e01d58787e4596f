import type { ReactNode } from 'react';
import styles from './Choice.module.css';

interface ChoiceProps<T extends string> {
  readonly name: string;
  /** `field`: of a form, in line with its other fields. */
  readonly look?: 'plain' | 'field';
  readonly legend: string;
  readonly options: readonly ChoiceOption<T>[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

interface ChoiceOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly icon?: ReactNode;
  /** The label's own language, where it is not the page's. */
  readonly lang?: string;
}

/** One of a few options: radio buttons side by side, chosen with arrow keys. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { name, look = 'plain', legend, options, chosen, onChoose } = props;
  return (
    <fieldset className={styles.choices} data-look={look}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.segments}>
        {options.map(({ value, label, icon, lang }) => (
          <label key={value} className={styles.segment} lang={lang}>
            <input
              type="radio"
              name={name}
              value={value}
              className="visually-hidden"
              checked={chosen === value}
              onChange={() => onChoose(value)}
            />
            {icon}
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
