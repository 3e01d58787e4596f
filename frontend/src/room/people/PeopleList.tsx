import type { ReactNode } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useDisplayName } from '../../stores/people.ts';
import { ONE_PANE, useMedia } from '../../stores/use-media.ts';
import styles from './PeoplePanel.module.css';

interface PeopleListProps {
  readonly title: string;
  /** Null: not known. */
  readonly count: number | null;
  readonly children: ReactNode;
}

/** People of one kind, under a heading. */
export function PeopleList({ title, count, children }: PeopleListProps) {
  const text = useText();
  const Heading = useMedia(ONE_PANE) ? 'h2' : 'h3';
  return (
    <>
      <Heading className={styles.heading}>
        {title}
        {count !== null && <span> {text.number(count)}</span>}
      </Heading>
      <ul aria-label={title}>{children}</ul>
    </>
  );
}

interface PersonNameProps {
  readonly id: number;
  readonly username: string;
}

/** The name that a person goes by, with the username beside it where that differs. It opens their profile card. */
export function PersonName({ id, username }: PersonNameProps) {
  const shown = useDisplayName(id);
  return (
    <button
      type="button"
      className={styles.name}
      onClick={({ currentTarget: anchor }) =>
        useDialogs.getState().show({ kind: 'profile', userId: id, anchor })
      }
    >
      {shown ?? username}
      {shown !== null && <span className={styles.username}> {username}</span>}
    </button>
  );
}
