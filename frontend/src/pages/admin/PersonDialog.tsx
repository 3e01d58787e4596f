import { useState } from 'react';
import type { AdminUser } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { mebibytes } from '../../i18n/mebibytes.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { adminRequests } from '../../stores/admin-requests.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import { Field } from '../../ui/Field.tsx';
import { MadeLink } from '../../ui/MadeLink.tsx';
import { Select } from '../../ui/Select.tsx';
import { AccountActions } from './AccountActions.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { type Act, useAccountChanges } from './use-account-changes.ts';

const ROLES = ['admin', 'member', 'guest'] as const;

interface PersonDialogProps {
  readonly person: AdminUser;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** What an admin can do to an account. */
export function PersonDialog({ person, onClose, onChanged }: PersonDialogProps) {
  const text = useText();
  const { admin } = useScreenTexts();
  const { user, busy, act } = useAccountChanges(person, onChanged);
  const [reason, setReason] = useState('');
  const [name, setName] = useState(person.username);
  const [link, setLink] = useState<string | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const isSuspended = user.suspended_at !== null;

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
          {isSuspended ? admin.suspended : admin.roles[user.role]} · {admin.sessions(user.sessions)} ·{' '}
          {admin.filesOf(user.files, mebibytes(text, user.file_bytes))}
        </p>
        {user.role === 'admin' ? (
          <p>{admin.higher}</p>
        ) : (
          <>
            <RoleSelect user={user} busy={busy} act={act} />
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
            <AccountActions
              user={user}
              busy={busy}
              act={act}
              name={name.trim()}
              reason={reason.trim()}
              onLink={setLink}
              onRemove={() => setRemoving(true)}
            />
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

interface RoleSelectProps {
  readonly user: AdminUser;
  readonly busy: boolean;
  readonly act: Act;
}

function RoleSelect({ user, busy, act }: RoleSelectProps) {
  const { admin } = useScreenTexts();
  return (
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
  );
}
