import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { moderationRequests } from '../../stores/admin-requests.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { showToast } from '../../stores/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useRequest } from '../../ui/use-loaded.ts';

const HOUR_S = 3600;
/** Seconds; null: without an end. */
const LENGTHS = { hour: HOUR_S, day: 24 * HOUR_S, week: 7 * 24 * HOUR_S, forever: null } as const;
type Length = keyof typeof LENGTHS;
const LENGTH_NAMES = Object.keys(LENGTHS) as Length[];

/** Mutes or bans a person in a room: what, for how long, and why. */
export function ModerateDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin, moderate } = useScreenTexts();
  const [of] = useState(() => useDialogs.getState().open);
  const [kind, setKind] = useState<'mute' | 'ban'>('mute');
  const [length, setLength] = useState<Length>('day');
  const [reason, setReason] = useState('');
  const [deletes, setDeletes] = useState(false);
  const { busy, run } = useRequest();
  if (of.kind !== 'moderate') return null;
  const { roomId, userId, username } = of;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const seconds = LENGTHS[length];
    const terms = {
      ...(seconds !== null && { until: new Date(Date.now() + seconds * 1000).toISOString() }),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    };
    void run(async () => {
      try {
        if (kind === 'mute') await moderationRequests().mute(roomId, userId, terms);
        else
          await moderationRequests().ban(roomId, userId, {
            ...terms,
            ...(deletes && { delete_last_s: HOUR_S }),
          });
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 403)) throw error;
        return showToast(moderate.refused);
      }
      onClose();
      showToast(kind === 'mute' ? moderate.muted(username) : moderate.banned(username));
    });
  }

  return (
    <Dialog onClose={onClose} aria-labelledby="moderate-title">
      <form className={body.body} onSubmit={submit}>
        <h2 id="moderate-title" className={body.title}>
          {moderate.title(username)}
        </h2>
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">{moderate.what}</legend>
          {(['mute', 'ban'] as const).map((one) => (
            <label key={one} className={styles.check}>
              <input type="radio" name="what" checked={one === kind} onChange={() => setKind(one)} />
              {moderate[one]}
            </label>
          ))}
        </fieldset>
        <Select
          label={moderate.howLong}
          value={length}
          onChange={({ target }) => setLength(LENGTH_NAMES.find((name) => name === target.value) ?? length)}
        >
          {LENGTH_NAMES.map((name) => (
            <option key={name} value={name}>
              {moderate.lengths[name]}
            </option>
          ))}
        </Select>
        <Field
          label={admin.reason}
          rule={admin.reasonRule}
          value={reason}
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
        {kind === 'ban' && (
          <label className={styles.check}>
            <input type="checkbox" checked={deletes} onChange={({ target }) => setDeletes(target.checked)} />
            {moderate.deletes}
          </label>
        )}
        <div className={body.actions}>
          <Button onClick={onClose}>{admin.cancel}</Button>
          <Button type="submit" look="danger" aria-disabled={busy}>
            {kind === 'mute' ? moderate.mute.split(/[:：]/)[0] : moderate.ban.split(/[:：]/)[0]}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
