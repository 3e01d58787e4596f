import { useCallback } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
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
          </dl>
          <p className={styles.hint}>{admin.version(usage.version)}</p>
        </>
      )}
    </WhenLoaded>
  );
}
