/** Remembers who is online over a planned restart, so that the users who come back never left. */
import type { Store } from '../storage/store.ts';
import type { Presence } from './presence.ts';

/** A roster that is older belongs to an earlier stop. */
const ROSTER_MAX_AGE_MS = 60_000;

/** Expects the users back who were online before the planned restart that has just ended, if there was one. */
export async function expectRoster(store: Store, presence: Presence): Promise<void> {
  const saved = await store.takeRoster();
  if (saved && Date.now() - saved.savedAt < ROSTER_MAX_AGE_MS) presence.expect(saved.roster);
}

export async function saveRoster(store: Store, presence: Presence): Promise<void> {
  await store.saveRoster({ savedAt: Date.now(), roster: presence.roster() });
}
