import { useCallback } from 'react';
import { useScreenTexts } from '../i18n/screens.ts';
import { WhenLoaded } from '../screens/Page.tsx';
import { useLoaded, useRequest } from '../screens/use-loaded.ts';
import { messagePath, navigate } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import styles from './Admin.module.css';
import { adminRequests, moderationRequests } from './requests.ts';

/** What people have reported about messages, with the text as it was then. */
export function ReportsTab() {
  const { admin, moderate } = useScreenTexts();
  const load = useCallback(() => adminRequests().reports(), []);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {(page) =>
        page.reports.length === 0 ? (
          <Empty title={admin.noReports} hint={admin.noReportsHint} />
        ) : (
          <ul className={styles.cards} aria-label={admin.reports}>
            {page.reports.map(
              ({ id, room, author, reporter, reason, note, excerpt, message_id: messageId }) => {
                const close = (resolution: 'acted' | 'dismissed') =>
                  void run(async () => {
                    await moderationRequests().closeReport(id, resolution);
                    set({ ...page, reports: page.reports.filter((other) => other.id !== id) });
                  });
                return (
                  <li key={id} className={styles.card} data-testid="report">
                    <h2>{admin.reportOf(author.username, room.kind === 'dm' ? admin.direct : room.name)}</h2>
                    <p className={styles.excerpt}>{excerpt}</p>
                    <p className={styles.hint}>
                      {admin.reportedBy(reporter.username, moderate.reasons[reason])}
                      {note !== '' && ` · ${note}`}
                    </p>
                    <div className={styles.actions}>
                      <Button look="primary" aria-disabled={busy} onClick={() => close('acted')}>
                        {admin.acted}
                      </Button>
                      <Button aria-disabled={busy} onClick={() => close('dismissed')}>
                        {admin.dismiss}
                      </Button>
                      {room.kind === 'public' && (
                        <Button onClick={() => navigate(messagePath(room.id, messageId))}>
                          {admin.toMessage}
                        </Button>
                      )}
                    </div>
                  </li>
                );
              },
            )}
          </ul>
        )
      }
    </WhenLoaded>
  );
}
