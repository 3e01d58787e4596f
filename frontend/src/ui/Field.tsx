import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './Field.module.css';
import { AlertIcon } from './late-icons.tsx';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string;
  /** `tall`: the label stands in the box, and makes way for what is typed. */
  readonly look?: 'plain' | 'tall' | undefined;
  /** What is allowed, shown before it is broken. */
  readonly rule?: string | undefined;
  /** What is wrong; takes the rule's place. */
  readonly error?: string | undefined;
  /** What the user can do about the error: shown after it. */
  readonly remedy?: ReactNode;
  /** Stands inside the box, at its end. */
  readonly trailing?: ReactNode;
}

/** A labelled input with its rule or its error beneath it. */
export function Field({ label, look = 'plain', rule, error, remedy, trailing, ...input }: FieldProps) {
  const id = useId();
  const note = error ?? rule;
  return (
    <div className={styles.field} data-look={look}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error !== undefined}>
        <input
          // For `:placeholder-shown`.
          {...(look === 'tall' && { placeholder: ' ' })}
          {...input}
          id={id}
          className={styles.input}
          aria-invalid={error !== undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
        />
        {trailing}
      </div>
      {note !== undefined && (
        <p id={`${id}-note`} className={styles.note} data-error={error !== undefined}>
          {error !== undefined && <AlertIcon size={16} />}
          {note}
        </p>
      )}
      {remedy}
    </div>
  );
}
