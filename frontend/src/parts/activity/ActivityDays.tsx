import { type ReactNode, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { dayName, startOfDay } from '../../i18n/time.ts';
import styles from './ActivityRow.module.css';

interface ActivityDaysProps<T> {
  /** The latest first. */
  readonly entries: readonly T[];
  readonly atOf: (entry: T) => number;
  readonly label: string;
  /** Whether an entry calls the user. A line stands where those of today end. */
  readonly isNew?: (entry: T) => boolean;
  readonly children: (entry: T) => ReactNode;
}

/** Rows under the names of their days. Today needs none, but what has called lies under "Earlier today". */
export function ActivityDays<T>({ entries, atOf, label, isNew, children }: ActivityDaysProps<T>) {
  const text = useText();
  const { inbox } = useScreenTexts();
  // Stays where it was as the list was opened: no row moves because the user is done with it.
  const [line] = useState(() => earlierFrom(entries, atOf, isNew));
  const now = Date.now();
  const days = new Map<number, T[]>();
  for (const entry of entries) {
    const day = startOfDay(atOf(entry));
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].flatMap(([day, rows]) => {
    if (day !== startOfDay(now)) {
      return (
        <Day key={day} name={dayName(text, day, now)} label={label}>
          {rows.map(children)}
        </Day>
      );
    }
    const latest = rows.filter((entry) => atOf(entry) > line);
    const earlier = rows.filter((entry) => atOf(entry) <= line);
    return [
      latest.length > 0 && (
        <Day key="new" label={label}>
          {latest.map(children)}
        </Day>
      ),
      earlier.length > 0 && (
        <Day key={day} name={latest.length > 0 ? inbox.earlierToday : undefined} label={label}>
          {earlier.map(children)}
        </Day>
      ),
    ];
  });
}

/** The time of the latest entry that calls nobody, after all that do. */
function earlierFrom<T>(
  entries: readonly T[],
  atOf: (entry: T) => number,
  isNew: ((entry: T) => boolean) | undefined,
): number {
  if (isNew === undefined) return Number.POSITIVE_INFINITY;
  const first = entries[entries.findLastIndex(isNew) + 1];
  return first === undefined ? Number.NEGATIVE_INFINITY : atOf(first);
}

interface DayProps {
  readonly name?: string | undefined;
  readonly label: string;
  readonly children: ReactNode;
}

function Day({ name, label, children }: DayProps) {
  return (
    <section>
      {name !== undefined && <h2 className={styles.day}>{name}</h2>}
      <ul aria-label={label}>{children}</ul>
    </section>
  );
}

/** After the last row: that there is nothing more. */
export function ActivityEnd({ children }: { readonly children: ReactNode }) {
  return <p className={styles.end}>{children}</p>;
}
