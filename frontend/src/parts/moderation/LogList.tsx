import type { AuditPage } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { dayAndTime } from '../../i18n/day-and-time.ts';
import { type ScreenTexts, useScreenTexts } from '../../i18n/screens.ts';
import list from '../../ui/List.module.css';
import styles from './Moderation.module.css';

type Entry = AuditPage['entries'][number];

/** Whether a mute or a ban until then has no end. */
export function isWithoutEnd(until: string): boolean {
  return until.startsWith('9999');
}

interface LogListProps {
  readonly entries: readonly Entry[];
  readonly label: string;
  /** All are of one room, which they need not name. */
  readonly isOfRoom?: boolean;
}

/** Rows of the audit log, the latest first. */
export function LogList({ entries, label, isOfRoom = false }: LogListProps) {
  const text = useText();
  const texts = useScreenTexts();
  return (
    <ul className={list.list} aria-label={label}>
      {entries.map((entry) => {
        const { until, reason, note } = entry.details;
        const notes = [
          dayAndTime(text, Date.parse(entry.at)),
          typeof until === 'string' && !isWithoutEnd(until)
            ? texts.log.until(dayAndTime(text, Date.parse(until)))
            : '',
          ...[reason, note].map((told) => (typeof told === 'string' ? told : '')),
        ];
        return (
          <li key={entry.id} className={list.row} data-small="true" data-testid="log-entry">
            <span className={list.text}>
              <span className={styles.sentence}>
                {sentenceOf(isOfRoom ? { ...entry, room: null } : entry, texts)}
              </span>
              <span className={styles.facts}>{notes.filter((note) => note !== '').join(' · ')}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function sentenceOf({ action, actor, user, room, details }: Entry, { admin, log }: ScreenTexts): string {
  const by = actor?.username ?? admin.operator;
  // A newer server may have done what this page has no words for.
  const words = Object.hasOwn(log, action) ? log[action] : null;
  const sentence =
    words?.(by, user?.username ?? '', String(details.to ?? details.emoji ?? '')) ?? `${by}: ${action}`;
  return room === null || room.name === '' ? sentence : log.inRoom(sentence, room.name);
}
