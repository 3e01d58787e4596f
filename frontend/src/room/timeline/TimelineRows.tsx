import { useText } from '../../i18n/catalogue.ts';
import { dayName } from '../../i18n/time.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { MessageItem } from '../message/MessageItem.tsx';
import type { PendingActions } from '../message/message-row.ts';
import { FactLine, NoticeLine } from './NoticeLine.tsx';
import styles from './TimelineRows.module.css';
import type { TimelineDay, TimelineRow } from './timeline-items.ts';
import { useToday } from './use-today.ts';

interface TimelineRowsProps {
  readonly days: readonly TimelineDay[];
  /** The message that Tab leads to. */
  readonly activeKey: string | null;
  /** The pending message that shows when it will be sent; null: none does. */
  readonly promiseKey: string | null;
  readonly actions: PendingActions;
}

/** The messages day by day, each day under its name. */
export function TimelineRows({ days, ...rest }: TimelineRowsProps) {
  const text = useText();
  const today = useToday();
  return days.map(({ day, rows }) => (
    <section key={day} className={styles.day}>
      <h2 className={styles.separator}>
        <span className={styles.line}>
          {/* No Tab stop: the messages are one. The command of the same name is for the keyboard. */}
          <button
            type="button"
            tabIndex={-1}
            aria-haspopup="dialog"
            onClick={() => useDialogs.getState().show({ kind: 'jump_date', day })}
          >
            <span>{dayName(text, day, today)}</span>
          </button>
        </span>
      </h2>
      <ol>
        {rows.map((row) => (
          <Row key={row.key} row={row} {...rest} />
        ))}
      </ol>
    </section>
  ));
}

function Row({
  row,
  activeKey,
  promiseKey,
  actions,
}: Omit<TimelineRowsProps, 'days'> & { readonly row: TimelineRow }) {
  const text = useText();
  const blocked = useOwnRooms((store) => store.blocked);
  switch (row.kind) {
    case 'message':
    case 'pending':
      return (
        <MessageItem
          row={row}
          active={row.key === activeKey}
          isBlocked={row.kind === 'message' && blocked.has(row.message.user_id)}
          promise={row.key === promiseKey}
          actions={actions}
        />
      );
    case 'fact':
      return <FactLine notice={row.notice} />;
    case 'notices':
      return <NoticeLine joined={row.joined} left={row.left} visited={row.visited} />;
    case 'new':
      return (
        <li className={styles.divider} data-row="new" data-landmark data-testid="new-line">
          <span>{text.room.newDivider}</span>
        </li>
      );
  }
}
