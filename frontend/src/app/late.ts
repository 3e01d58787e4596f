import { followBlocks } from './follow-blocks.ts';
import { followJoins } from './follow-joins.ts';
import { followPeople } from './follow-people.ts';
import { followSight } from './follow-sight.ts';
import { followUpdates } from './follow-updates.ts';

/** Everything that `followLate` follows. Returns the function that ends it. */
export function follow(): () => void {
  const ends = [followSight(), followPeople(), followBlocks(), followJoins(), followUpdates()];
  return () => {
    for (const end of ends) end();
  };
}
