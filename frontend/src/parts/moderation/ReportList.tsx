import { type FormEvent, useState } from 'react';
import type { ReportsPage } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { dayAndTime } from '../../i18n/day-and-time.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { moderationRequests } from '../../stores/admin-requests.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { messagePath, navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './Moderation.module.css';

type Report = ReportsPage['reports'][number];

interface ReportListProps {
  readonly label: string;
  readonly reports: readonly Report[];
  /** All are of one room, which the reader moderates. */
  readonly isOfRoom?: boolean;
  readonly onClosed: (report: Report) => void;
}

/** Reports with the text as it was then, and what can be done about each. */
export function ReportList({ label, reports, isOfRoom = false, onClosed }: ReportListProps) {
  return (
    <ul className={styles.cards} aria-label={label}>
      {reports.map((report) => (
        <ReportCard key={report.id} report={report} isOfRoom={isOfRoom} onClosed={() => onClosed(report)} />
      ))}
    </ul>
  );
}

interface ReportCardProps {
  readonly report: Report;
  readonly isOfRoom: boolean;
  readonly onClosed: () => void;
}

function ReportCard({ report, isOfRoom, onClosed }: ReportCardProps) {
  const text = useText();
  const { admin, moderate } = useScreenTexts();
  const [isClosing, setClosing] = useState(false);
  const { room, author, reporter, reason, note, excerpt, message_id: messageId } = report;
  return (
    <li className={styles.card} data-testid="report">
      <p className={styles.cardTitle}>
        {isOfRoom
          ? author.username
          : admin.reportOf(author.username, room.kind === 'dm' ? admin.direct : room.name)}
      </p>
      <p className={styles.excerpt}>{excerpt}</p>
      <p className={styles.facts}>
        {admin.reportedBy(reporter.username, moderate.reasons[reason])}
        {note !== '' && ` · ${note}`}
        {` · ${dayAndTime(text, Date.parse(report.created_at))}`}
      </p>
      {(isOfRoom || room.kind === 'public') && <MessageLink roomId={room.id} messageId={messageId} />}
      {isClosing ? (
        <CloseForm report={report} onClosed={onClosed} onCancel={() => setClosing(false)} />
      ) : (
        <div className={styles.actions}>
          {isOfRoom && (
            <Button
              look="primary"
              onClick={() =>
                useDialogs.getState().show({
                  kind: 'moderate',
                  roomId: room.id,
                  userId: author.user_id,
                  username: author.username,
                })
              }
            >
              {moderate.act}
            </Button>
          )}
          <Button look={isOfRoom ? 'plain' : 'primary'} onClick={() => setClosing(true)}>
            {moderate.close}
          </Button>
        </div>
      )}
    </li>
  );
}

/** One reads before one judges. */
function MessageLink({ roomId, messageId }: { readonly roomId: number; readonly messageId: number }) {
  const { admin } = useScreenTexts();
  const path = messagePath(roomId, messageId);
  return (
    <a className={styles.where} href={path} onClick={inThisTab(() => navigate(path))}>
      {admin.toMessage}
    </a>
  );
}

interface CloseFormProps {
  readonly report: Report;
  readonly onClosed: () => void;
  readonly onCancel: () => void;
}

/** How the report ends, and a note for the log. */
function CloseForm({ report, onClosed, onCancel }: CloseFormProps) {
  const { admin, moderate } = useScreenTexts();
  const [note, setNote] = useState('');
  const { busy, run } = useRequest();

  function close(resolution: 'acted' | 'dismissed'): void {
    void run(async () => {
      await moderationRequests().closeReport(report.id, resolution, note.trim());
      onClosed();
    });
  }

  return (
    <form
      className={styles.closing}
      aria-label={moderate.closeOf(report.author.username)}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        close('acted');
      }}
    >
      <Field
        label={moderate.closeNote}
        rule={moderate.closeNoteRule}
        value={note}
        maxLength={500}
        autoFocus
        onChange={({ target }) => setNote(target.value)}
      />
      <div className={styles.actions}>
        <Button type="submit" look="primary" aria-disabled={busy}>
          {admin.acted}
        </Button>
        <Button aria-disabled={busy} onClick={() => close('dismissed')}>
          {admin.dismiss}
        </Button>
        <Button onClick={onCancel}>{admin.cancel}</Button>
      </div>
    </form>
  );
}
