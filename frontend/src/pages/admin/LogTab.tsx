import { useCallback } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { LogList } from '../../parts/moderation/LogList.tsx';
import { adminRequests } from '../../stores/admin-requests.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';

/** What admins, moderators and the operator did. */
export function LogTab() {
  const { admin } = useScreenTexts();
  const load = useCallback(() => adminRequests().audit(), []);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {({ entries, has_more: hasMore }) =>
        entries.length === 0 ? (
          <Empty title={admin.noLog} />
        ) : (
          <>
            <LogList entries={entries} label={admin.log} />
            {hasMore && (
              <Button
                aria-disabled={busy}
                onClick={() =>
                  void run(async () => {
                    const next = await adminRequests().audit({ beforeId: entries.at(-1)?.id ?? 1 });
                    set({ ...next, entries: [...entries, ...next.entries] });
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
  );
}
