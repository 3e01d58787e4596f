/** What is known of the people in sight. `app/sync-people.ts` writes it. */
import { create } from 'zustand';
import type { Profile } from '../../../client/index.ts';

interface PeopleStore {
  /** Those that were last seen on this device included. */
  readonly profiles: ReadonlyMap<number, Profile>;
  /** Those that the server has sent since the page was opened. */
  readonly received: ReadonlyMap<number, Profile>;
  readonly online: ReadonlySet<number>;
  /** The person whose card is open. */
  readonly lookedAt: number | null;
}

export const usePeople = create<PeopleStore>(() => ({
  profiles: new Map(),
  received: new Map(),
  online: new Set(),
  lookedAt: null,
}));

/** The name that a person goes by, where it is not their username. */
export function useDisplayName(userId: number): string | null {
  return usePeople(({ profiles }) => {
    const profile = profiles.get(userId);
    return profile === undefined || profile.display_name === profile.username
      ? null
      : profile.display_name || null;
  });
}

/** The key of a person's picture; undefined: they have none, or it is not known. */
export function usePicture(userId: number): string | undefined {
  return usePeople(({ profiles }) => profiles.get(userId)?.avatar);
}

/** Whether a person is online; null while that is not known. */
export function useIsOnline(userId: number): boolean | null {
  return usePeople(({ received, online }) => (received.has(userId) ? online.has(userId) : null));
}

/** The status of a person in one line, emoji first; null: none, or its time is over. */
export function useStatusLine(userId: number): string | null {
  return usePeople(({ profiles }) => {
    const status = statusNow(profiles.get(userId)?.status);
    return [status?.emoji, status?.text].filter(Boolean).join(' ') || null;
  });
}

/** A status, unless its time is over. */
export function statusNow(status: Profile['status'] = null): Profile['status'] {
  const isOver = status?.until !== undefined && Date.parse(status.until) <= Date.now();
  return isOver ? null : status;
}
