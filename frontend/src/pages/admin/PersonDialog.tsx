import { useState } from 'react';
import { type AdminUser, ApiError } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { adminRequests } from '../../stores/admin-requests.ts';
import { showToast } from '../../stores/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import { Field } from '../../ui/Field.tsx';
import { MadeLink } from '../../ui/MadeLink.tsx';
import { Select } from '../../ui/Select.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import { RemoveDialog } from './RemoveDialog.tsx';

const ROLES = ['admin', 'member', 'guest'] as const;

interface PersonDialogProps {
  readonly person: AdminUser;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** What an admin can do to an account. */
export function PersonDialog({ person, onClose, onChanged }: PersonDialogProps) {
  const { admin } = useScreenTexts();
  const { busy, run } = useRequest();
  const [user, setUser] = useState(person);
  const [reason, setReason] = useState('');
  const [name, setName] = useState(person.username);
  const [link, setLink] = useState<string | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const isSuspended = user.suspended_at !== null;

  function act(request: () => Promise<AdminUser | null>): void {
    void run(async () => {
      try {
        const changed = await request();
        if (changed !== null) setUser(changed);
        onChanged();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 403) showToast(admin.higher);
        else if (error.status === 409) showToast(admin.nameTaken);
        else if (error.status === 400) showToast(admin.nameNotAllowed);
        else throw error;
      }
    });
  }

  if (isRemoving) {
    const gone = () => {
      onChanged();
      onClose();
    };
    return <RemoveDialog user={user} onClose={() => setRemoving(false)} onRemoved={gone} />;
  }
  return (
    <Dialog onClose={onClose} aria-labelledby="person-title">
      <div className={body.body}>
        <h2 id="person-title" className={body.title}>
          {admin.manage(user.username)}
        </h2>
        <p className={body.hint}>
          {isSuspended ? admin.suspended : admin.roles[user.role]} · {admin.sessions(user.sessions)}
        </p>
        {user.role === 'admin' ? (
          <p>{admin.higher}</p>
        ) : (
          <>
            <Select
              label={admin.role}
              rule={admin.roleRules[user.role]}
              value={user.role}
              aria-disabled={busy}
              onChange={({ target }) => {
                const role = ROLES.find((known) => known === target.value) ?? user.role;
                act(() => adminRequests().changeUser(user.id, { role }));
              }}
            >
              {ROLES.map((role) => (
                <option key={role} value={role}>
                  {admin.roles[role]}
                </option>
              ))}
            </Select>
            {!isSuspended && (
              <>
                <Field
                  label={admin.reason}
                  rule={admin.reasonRule}
                  value={reason}
                  maxLength={500}
                  onChange={({ target }) => setReason(target.value)}
                />
                <p className={body.hint}>{admin.suspendHint}</p>
              </>
            )}
            <Field
              label={admin.username}
              rule={admin.usernameRule}
              value={name}
              maxLength={64}
              onChange={({ target }) => setName(target.value)}
            />
            <div className={styles.actions}>
              <Button
                aria-disabled={busy || name.trim() === '' || name.trim() === user.username}
                onClick={() => act(() => adminRequests().changeUser(user.id, { username: name.trim() }))}
              >
                {admin.rename}
              </Button>
              <Button
                look={isSuspended ? 'primary' : 'danger'}
                aria-disabled={busy}
                onClick={() =>
                  act(() => {
                    const why = isSuspended ? {} : { reason: reason.trim() };
                    return adminRequests().changeUser(user.id, { suspended: !isSuspended, ...why });
                  })
                }
              >
                {isSuspended ? admin.resume : admin.suspend}
              </Button>
              <Button
                aria-disabled={busy || user.sessions === 0}
                onClick={() =>
                  act(async () => {
                    await adminRequests().endSessions(user.id);
                    return { ...user, sessions: 0 };
                  })
                }
              >
                {admin.endSessions}
              </Button>
              <Button
                aria-disabled={busy}
                onClick={() =>
                  act(async () => {
                    setLink((await adminRequests().resetPassword(user.id)).url);
                    return null;
                  })
                }
              >
                {admin.reset}
              </Button>
              <Button look="danger" aria-disabled={busy} onClick={() => setRemoving(true)}>
                {admin.remove}
              </Button>
            </div>
            {link !== null && <MadeLink key={link} url={link} hint={admin.resetHint(user.username)} />}
          </>
        )}
        <div className={body.actions}>
          <Button onClick={onClose}>{admin.done}</Button>
        </div>
      </div>
    </Dialog>
  );
}
