import { type FormEvent, useState } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { moderationRequests } from '../../stores/admin-requests.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { showToast } from '../../stores/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import { Field } from '../../ui/Field.tsx';
import { useRequest } from '../../ui/use-loaded.ts';

const REASONS = ['spam', 'harassment', 'confidential', 'other'] as const;

/** Reports a message to those who moderate its room. */
export function ReportDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin, moderate } = useScreenTexts();
  const [of] = useState(() => useDialogs.getState().open);
  const [reason, setReason] = useState<(typeof REASONS)[number]>('spam');
  const [note, setNote] = useState('');
  const { busy, run } = useRequest();

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (of.kind !== 'report') return;
    void run(async () => {
      await moderationRequests().report(of.roomId, of.messageId, reason, note.trim());
      onClose();
      showToast(moderate.sent);
    });
  }

  return (
    <Dialog onClose={onClose} aria-labelledby="report-title">
      <form className={body.body} onSubmit={submit}>
        <h2 id="report-title" className={body.title}>
          {moderate.report}
        </h2>
        <p className={body.hint}>{moderate.reportHint}</p>
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">{admin.reason}</legend>
          {REASONS.map((one) => (
            <label key={one} className={styles.check}>
              <input type="radio" name="reason" checked={one === reason} onChange={() => setReason(one)} />
              {moderate.reasons[one]}
            </label>
          ))}
        </fieldset>
        <Field
          label={moderate.note}
          value={note}
          maxLength={500}
          onChange={({ target }) => setNote(target.value)}
        />
        <div className={body.actions}>
          <Button onClick={onClose}>{admin.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={busy}>
            {moderate.send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
