import { useCallback } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { mebibytes } from '../../i18n/mebibytes.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { shortDay } from '../../i18n/time.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { adminRequests } from '../../stores/admin-requests.ts';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';

/** How many people, rooms and messages there are. */
export function UsageTab() {
  const text = useText();
  const { admin } = useScreenTexts();
  const load = useCallback(() => adminRequests().usage(), []);
  const { loaded, reload } = useLoaded(load);
  const names = Object.keys(admin.counts) as (keyof typeof admin.counts)[];
  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {(usage) => (
        <>
          <dl className={styles.counts}>
            {names.map((name) => (
              <div key={name} className={styles.count} data-testid="count">
                <dt>{admin.counts[name]}</dt>
                <dd>{usage[name].toLocaleString(text.locale)}</dd>
              </div>
            ))}
            <div className={styles.count} data-testid="count">
              <dt>{admin.fileBytes}</dt>
              <dd>{mebibytes(text, usage.file_bytes)}</dd>
            </div>
            <div className={styles.count} data-testid="count">
              <dt>{admin.searchBytes}</dt>
              <dd>{mebibytes(text, usage.search.bytes)}</dd>
            </div>
          </dl>
          {!usage.search.is_complete && (
            <p className={styles.hint}>
              {usage.search.indexed_from === null
                ? admin.searchBegins
                : admin.searchFills(shortDay(text, Date.parse(usage.search.indexed_from), Date.now()))}
            </p>
          )}
          {usage.file_people.length > 0 && (
            <>
              <h3>{admin.filePeople}</h3>
              <ul>
                {usage.file_people.map(({ user_id: id, username, files, bytes }) => (
                  <li key={id}>
                    {username}: {admin.filesOf(files, mebibytes(text, bytes))}
                  </li>
                ))}
              </ul>
            </>
          )}
          <p className={styles.hint}>{admin.version(usage.version)}</p>
        </>
      )}
    </WhenLoaded>
  );
}
