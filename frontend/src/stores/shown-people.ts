/** Who has a round on the screen. `app/sync-people.ts` watches them, so that their pictures come and stay current. */
import { useEffect } from 'react';

/** How many rounds each of them has, the one that appeared last at the end. */
const counts = new Map<number, number>();
let tell = () => {};

/** While the component is on the screen, this person is. */
export function useShownPerson(userId: number): void {
  useEffect(() => {
    count(userId, 1);
    return () => count(userId, -1);
  }, [userId]);
}

/** Calls `onChange` when it is other people. Returns the function that ends it. */
export function onShownPeople(onChange: () => void): () => void {
  tell = onChange;
  return () => {
    tell = () => {};
  };
}

/** A round that belongs to no account has the id 0. */
export function shownPeople(): number[] {
  return [...counts.keys()].filter((id) => id > 0);
}

function count(userId: number, by: 1 | -1): void {
  const next = (counts.get(userId) ?? 0) + by;
  if (next > 0) counts.set(userId, next);
  else counts.delete(userId);
  if (next === 0 || (next === 1 && by === 1)) tell();
}
