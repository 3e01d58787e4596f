import { useState } from 'react';
import { type AdminUser, ApiError } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { showToast } from '../../stores/toasts.ts';
import { useRequest } from '../../ui/use-loaded.ts';

/** Carries out a change, which returns the account as it is then; null: as it was. */
export type Act = (request: () => Promise<AdminUser | null>) => void;

interface AccountChanges {
  /** The account as the last change has left it. */
  readonly user: AdminUser;
  readonly busy: boolean;
  readonly act: Act;
}

/** Changes an account, one change at a time. What the server refuses is shown as a toast. */
export function useAccountChanges(person: AdminUser, onChanged: () => void): AccountChanges {
  const { admin } = useScreenTexts();
  const { busy, run } = useRequest();
  const [user, setUser] = useState(person);

  const act: Act = (request) => {
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
  };

  return { user, busy, act };
}
