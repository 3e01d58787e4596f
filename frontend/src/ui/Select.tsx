import { type ComponentProps, useId } from 'react';
import styles from './Field.module.css';
import { ChevronIcon } from './icons.tsx';

interface SelectProps extends Omit<ComponentProps<'select'>, 'id'> {
  readonly label: string;
  /** What the choice does. */
  readonly rule?: string | undefined;
}

/** A labelled choice from a list, with what it does beneath it. */
export function Select({ label, rule, children, ...select }: SelectProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        <select
          {...select}
          id={id}
          className={styles.input}
          aria-describedby={rule === undefined ? undefined : `${id}-note`}
        >
          {children}
        </select>
        <span className={styles.arrow}>
          <ChevronIcon size={16} />
        </span>
      </div>
      {rule !== undefined && (
        <p id={`${id}-note`} className={styles.note}>
          {rule}
        </p>
      )}
    </div>
  );
}
