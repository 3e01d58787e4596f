/** For a process that runs alone: remembers who is online over a planned restart. Users who return then never left. */
import { RESTART_GRACE_MS } from '../../../protocol/limits.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Presence } from './presence.ts';

/** An older roster belongs to an earlier stop. */
const ROSTER_MAX_AGE_MS = 60_000;
/** The process before this one. */
const BEFORE = 'the last run';

/**
 * Expects the users back who were online before the planned restart that has just ended, if there was one. Returns a
 * function that ends the wait for them without announcing anybody as leaving.
 */
export async function expectRoster(store: Store, presence: Presence): Promise<() => void> {
  const saved = await store.takeRoster();
  if (!saved || Date.now() - saved.savedAt >= ROSTER_MAX_AGE_MS) return () => undefined;
  for (const entry of saved.roster) presence.expect(BEFORE, entry);
  const forgetAbsent = () => {
    for (const entry of saved.roster) presence.forget(BEFORE, entry);
  };
  const timer = setTimeout(forgetAbsent, RESTART_GRACE_MS).unref();
  return () => clearTimeout(timer);
}

export async function saveRoster(store: Store, presence: Presence): Promise<void> {
  await store.saveRoster({ savedAt: Date.now(), roster: presence.roster() });
}
