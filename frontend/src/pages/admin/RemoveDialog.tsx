import { useState } from 'react';
import { type AdminUser, ApiError } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { adminRequests } from '../../stores/admin-requests.ts';
import { showToast } from '../../stores/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useRequest } from '../../ui/use-loaded.ts';

interface RemoveDialogProps {
  readonly user: AdminUser;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Asks what becomes of somebody's texts, and removes the account. */
export function RemoveDialog({ user, onClose, onRemoved }: RemoveDialogProps) {
  const { admin } = useScreenTexts();
  const { busy, run } = useRequest();
  const [texts, setTexts] = useState<'keep' | 'delete'>('keep');
  const [reason, setReason] = useState('');

  async function remove(): Promise<void> {
    try {
      const why = reason.trim();
      await adminRequests().removeUser(user.id, texts, why === '' ? undefined : why);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw error;
      return showToast(admin.higher);
    }
    showToast(admin.removed(user.username));
    onRemoved();
  }

  return (
    <Dialog onClose={onClose} aria-labelledby="remove-title">
      <div className={body.body}>
        <h2 id="remove-title" className={body.title}>
          {admin.removeThis(user.username)}
        </h2>
        <p className={body.hint}>{admin.removeHint}</p>
        <Select
          label={admin.removeTexts}
          value={texts}
          onChange={({ target }) => setTexts(target.value === 'delete' ? 'delete' : 'keep')}
        >
          <option value="keep">{admin.keepTexts}</option>
          <option value="delete">{admin.deleteTexts}</option>
        </Select>
        <Field
          label={admin.reason}
          value={reason}
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
        <div className={body.actions}>
          <Button onClick={onClose}>{admin.cancel}</Button>
          <Button look="danger" aria-disabled={busy} onClick={() => void run(remove)}>
            {admin.remove}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
