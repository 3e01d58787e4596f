import type { AdminUser } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { adminRequests } from '../../stores/admin-requests.ts';
import { Button } from '../../ui/Button.tsx';
import type { Act } from './use-account-changes.ts';

interface AccountActionsProps {
  readonly user: AdminUser;
  readonly busy: boolean;
  readonly act: Act;
  /** The username that was typed. */
  readonly name: string;
  /** Why the account is suspended. */
  readonly reason: string;
  /** A link was made with which the person sets a new password. */
  readonly onLink: (url: string) => void;
  readonly onRemove: () => void;
}

/** The buttons that change an account. */
export function AccountActions({ user, busy, act, name, reason, onLink, onRemove }: AccountActionsProps) {
  const { admin } = useScreenTexts();
  const isSuspended = user.suspended_at !== null;
  return (
    <div className={styles.actions}>
      <Button
        aria-disabled={busy || name === '' || name === user.username}
        onClick={() => act(() => adminRequests().changeUser(user.id, { username: name }))}
      >
        {admin.rename}
      </Button>
      <Button
        look={isSuspended ? 'primary' : 'danger'}
        aria-disabled={busy}
        onClick={() =>
          act(() => {
            const why = isSuspended ? {} : { reason };
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
            onLink((await adminRequests().resetPassword(user.id)).url);
            return null;
          })
        }
      >
        {admin.reset}
      </Button>
      <Button look="danger" aria-disabled={busy} onClick={onRemove}>
        {admin.remove}
      </Button>
    </div>
  );
}
