import { syncThreadMarks } from '../stores/thread-marks.ts';
import { syncAnswering } from './sync-answering.ts';
import { syncBlocks } from './sync-blocks.ts';
import { syncChanges } from './sync-changes.ts';
import { syncCopies } from './sync-copies.ts';
import { syncFiles } from './sync-files.ts';
import { syncJoins } from './sync-joins.ts';
import { syncNotifications } from './sync-notifications.ts';
import { syncPeople } from './sync-people.ts';
import { syncPushes } from './sync-pushes.ts';
import { syncSight } from './sync-sight.ts';
import { syncThreads } from './sync-threads.ts';
import { syncUpdates } from './sync-updates.ts';

/** Keeps in sync what the first paint does without. Returns the function that ends it. */
export function syncLate(): () => void {
  const ends = [
    syncSight(),
    syncPeople(),
    syncBlocks(),
    syncChanges(),
    syncJoins(),
    syncUpdates(),
    syncThreads(),
    syncThreadMarks(),
    syncPushes(),
    syncNotifications(),
    syncAnswering(),
    syncCopies(),
    syncFiles(),
  ];
  return () => {
    for (const end of ends) end();
  };
}
