import { followSight } from './follow-sight.ts';

/** Everything that `followLate` follows. Returns the function that ends it. */
export function follow(): () => void {
  const ends = [followSight()];
  return () => {
    for (const end of ends) end();
  };
}
