import type { ReactNode } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { dayName, startOfDay } from '../../i18n/time.ts';
import styles from './ActivityRow.module.css';

interface ActivityDaysProps<T> {
  /** The latest first. */
  readonly entries: readonly T[];
  readonly atOf: (entry: T) => number;
  readonly label: string;
  readonly children: (entry: T) => ReactNode;
}

/** Rows under the names of their days. Today needs none. */
export function ActivityDays<T>({ entries, atOf, label, children }: ActivityDaysProps<T>) {
  const text = useText();
  const now = Date.now();
  const days = new Map<number, T[]>();
  for (const entry of entries) {
    const day = startOfDay(atOf(entry));
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].map(([day, rows]) => (
    <section key={day}>
      {day !== startOfDay(now) && <h2 className={styles.day}>{dayName(text, day, now)}</h2>}
      <ul aria-label={label}>{rows.map(children)}</ul>
    </section>
  ));
}

/** After the last row: that there is nothing more. */
export function ActivityEnd({ children }: { readonly children: ReactNode }) {
  return <p className={styles.end}>{children}</p>;
}
