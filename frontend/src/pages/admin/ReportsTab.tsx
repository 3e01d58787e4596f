import { useCallback } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { ReportList } from '../../parts/moderation/ReportList.tsx';
import { adminRequests } from '../../stores/admin-requests.ts';
import { Empty } from '../../ui/Empty.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';

/** What people have reported about messages, with the text as it was then. */
export function ReportsTab() {
  const { admin } = useScreenTexts();
  const load = useCallback(() => adminRequests().reports(), []);
  const { loaded, reload, set } = useLoaded(load);
  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {(page) =>
        page.reports.length === 0 ? (
          <Empty title={admin.noReports} hint={admin.noReportsHint} />
        ) : (
          <ReportList
            label={admin.reports}
            reports={page.reports}
            onClosed={({ id }) => set({ ...page, reports: page.reports.filter((other) => other.id !== id) })}
          />
        )
      }
    </WhenLoaded>
  );
}
