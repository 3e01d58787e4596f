/** The searches that the user made last, kept on this device for them alone until they sign out. */
import { create } from 'zustand';
import { SEARCH_QUERY_MAX } from '../../../../protocol/limits.ts';
import { localStore } from '../../stores/device.ts';

/** As many are kept. */
export const MOST_RECENT = 8;

interface RecentStore {
  readonly userId: number;
  /** The latest first. */
  readonly queries: readonly string[];
}

export const useRecent = create<RecentStore>(() => ({ userId: 0, queries: [] }));

/** `stores/device.ts` deletes it at sign-out, by the id in its name. */
function keyOf(userId: number): string {
  return `chat_searches:${userId}`;
}

export function readRecent(userId: number): void {
  useRecent.setState({ userId, queries: parsed(localStore.getItem(keyOf(userId))) });
}

/** The user has found what they looked for, or has asked for it. */
export function rememberSearch(query: string): void {
  if (query !== '') write(withRecent(useRecent.getState().queries, query));
}

export function forgetSearch(query: string): void {
  write(useRecent.getState().queries.filter((one) => one !== query));
}

export function forgetSearches(): void {
  write([]);
}

/** With this one first. One that it completes is left out: it was made on the way. */
export function withRecent(queries: readonly string[], query: string): readonly string[] {
  const others = queries.filter((one, index) => one !== query && !(index === 0 && query.startsWith(one)));
  return [query, ...others].slice(0, MOST_RECENT);
}

/** What the device has, which an earlier version or somebody else may have written. */
export function parsed(stored: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(value)) return [];
    return value
      .filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= SEARCH_QUERY_MAX)
      .slice(0, MOST_RECENT);
  } catch {
    return [];
  }
}

function write(queries: readonly string[]): void {
  const { userId } = useRecent.getState();
  useRecent.setState({ queries });
  if (queries.length === 0) localStore.removeItem(keyOf(userId));
  else localStore.setItem(keyOf(userId), JSON.stringify(queries));
}
