import { useCallback, useDeferredValue, useState } from 'react';
import type { AdminUser } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { listTime } from '../../i18n/time.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { adminRequests } from '../../stores/admin-requests.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import list from '../../ui/List.module.css';
import { WhenLoaded } from '../../ui/Page.tsx';
import { RowSelect } from '../../ui/RowSelect.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';
import { PersonDialog } from './PersonDialog.tsx';

/** All accounts, found by name, with what an admin can do to each. */
export function PeopleTab() {
  const { admin } = useScreenTexts();
  const [query, setQuery] = useState('');
  const [onlySuspended, setOnlySuspended] = useState(false);
  const q = useDeferredValue(query.trim());
  const load = useCallback(
    () => adminRequests().users({ ...(q !== '' && { q }), ...(onlySuspended && { suspended: true }) }),
    [q, onlySuspended],
  );
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  const [managed, setManaged] = useState<AdminUser | null>(null);

  return (
    <>
      <div className={styles.filter}>
        <input
          type="search"
          className={list.search}
          aria-label={admin.search}
          placeholder={admin.search}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        <RowSelect
          aria-label={admin.which}
          value={String(onlySuspended)}
          onChange={({ target }) => setOnlySuspended(target.value === 'true')}
        >
          <option value="false">{admin.all}</option>
          <option value="true">{admin.onlySuspended}</option>
        </RowSelect>
      </div>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(page) =>
          page.users.length === 0 ? (
            <Empty title={admin.nobody} />
          ) : (
            <>
              <ul className={list.list} aria-label={admin.people}>
                {page.users.map((user) => (
                  <PersonRow key={user.id} user={user} onManage={() => setManaged(user)} />
                ))}
              </ul>
              {page.has_more && (
                <Button
                  aria-disabled={busy}
                  onClick={() =>
                    void run(async () => {
                      const afterId = page.users.at(-1)?.id ?? 0;
                      const next = await adminRequests().users({ ...(q !== '' && { q }), afterId });
                      set({ ...next, users: [...page.users, ...next.users] });
                    })
                  }
                >
                  {admin.more}
                </Button>
              )}
            </>
          )
        }
      </WhenLoaded>
      {managed !== null && (
        <PersonDialog person={managed} onClose={() => setManaged(null)} onChanged={reload} />
      )}
    </>
  );
}

function PersonRow({ user, onManage }: { readonly user: AdminUser; readonly onManage: () => void }) {
  const text = useText();
  const { admin } = useScreenTexts();
  const {
    id,
    username,
    display_name: displayName,
    role,
    suspended_at: suspendedAt,
    last_used_at: seen,
  } = user;
  const when = seen === null ? admin.never : admin.lastSeen(listTime(text, Date.parse(seen), Date.now()));
  return (
    <li className={list.row} data-testid="account">
      <Avatar userId={id} username={username} />
      <span className={list.text}>
        <span className={list.name}>{username}</span>
        <span className={list.note}>
          {displayName !== '' && displayName !== username && `${displayName} · `}
          {when}
        </span>
      </span>
      {suspendedAt !== null ? (
        <span className={styles.badge} data-look="danger">
          {admin.suspended}
        </span>
      ) : (
        role !== 'member' && <span className={styles.badge}>{admin.roles[role]}</span>
      )}
      <Button aria-label={admin.manage(username)} onClick={onManage}>
        {admin.manageOne}
      </Button>
    </li>
  );
}
