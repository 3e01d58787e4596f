import { followThreadMarks } from '../stores/thread-marks.ts';
import { followAnswering } from './sync-answering.ts';
import { followBlocks } from './sync-blocks.ts';
import { followChanges } from './sync-changes.ts';
import { followCopies } from './sync-copies.ts';
import { followJoins } from './sync-joins.ts';
import { syncNotifications } from './sync-notifications.ts';
import { followPeople } from './sync-people.ts';
import { followPushes } from './sync-pushes.ts';
import { followSight } from './sync-sight.ts';
import { followThreads } from './sync-threads.ts';
import { followUpdates } from './sync-updates.ts';

/** Follows what the first paint does without. Returns the function that ends it. */
export function follow(): () => void {
  const ends = [
    followSight(),
    followPeople(),
    followBlocks(),
    followChanges(),
    followJoins(),
    followUpdates(),
    followThreads(),
    followThreadMarks(),
    followPushes(),
    syncNotifications(),
    followAnswering(),
    followCopies(),
  ];
  return () => {
    for (const end of ends) end();
  };
}
