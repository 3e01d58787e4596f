import { followThreadMarks } from '../stores/thread-marks.ts';
import { followAnswering } from './follow-answering.ts';
import { followAttention } from './follow-attention.ts';
import { followBlocks } from './follow-blocks.ts';
import { followChanges } from './follow-changes.ts';
import { followCopies } from './follow-copies.ts';
import { followJoins } from './follow-joins.ts';
import { followPeople } from './follow-people.ts';
import { followPushes } from './follow-pushes.ts';
import { followSight } from './follow-sight.ts';
import { followThreads } from './follow-threads.ts';
import { followUpdates } from './follow-updates.ts';

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
    followAttention(),
    followAnswering(),
    followCopies(),
  ];
  return () => {
    for (const end of ends) end();
  };
}
