import { useEffect, useState } from 'react';
import type { ReportsPage, RoomInfo } from '../../../../client/index.ts';
import { moderationRequests } from '../../stores/admin-requests.ts';
import { peopleRequests } from '../../stores/requests.ts';

interface ModerationOf {
  /** Null: not known yet. */
  readonly mayModerate: boolean | null;
  /** How many reports are open, in words; "0" also as long as it is not known. */
  readonly open: string;
  readonly setOpen: (page: ReportsPage) => void;
}

/** Whether the user may moderate the room, and how many of its reports are open. */
export function useModeration(room: RoomInfo | null): ModerationOf {
  const [mayModerate, setMayModerate] = useState<boolean | null>(null);
  const [page, setPage] = useState<ReportsPage | null>(null);
  const { id, kind, me_role: role } = room ?? {};

  useEffect(() => {
    if (id === undefined || kind === undefined) return;
    let gone = false;
    setMayModerate(null);
    setPage(null);
    void (async () => {
      const may = await isModerator(kind, role).catch(() => false);
      if (gone) return;
      setMayModerate(may);
      const reports = may
        ? await moderationRequests()
            .reports(id)
            .catch(() => null)
        : null;
      if (!gone) setPage(reports);
    })();
    return () => {
      gone = true;
    };
  }, [id, kind, role]);

  const open = page === null ? '0' : `${page.reports.length}${page.has_more ? '+' : ''}`;
  return { mayModerate, open, setOpen: setPage };
}

/** Admins of the server moderate public rooms without being in them. */
async function isModerator(kind: RoomInfo['kind'], role: RoomInfo['me_role']): Promise<boolean> {
  if (kind === 'dm') return false;
  if (role === 'owner' || role === 'moderator') return true;
  return kind === 'public' && (await peopleRequests().me()).role === 'admin';
}
