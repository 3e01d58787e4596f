/** The emoji of the server, as it said last: on this page, or on an earlier one. */
import { create } from 'zustand';
import { emojiApi, type ServerEmoji } from '../../../client/index.ts';
import { chat } from './chat.ts';
import { localStore } from './device.ts';

interface ServerEmojiState {
  readonly byName: ReadonlyMap<string, ServerEmoji>;
}

interface Kept {
  readonly stamp: string | null;
  readonly emoji: readonly ServerEmoji[];
}

/** Between two requests for a name that is not known. Each that finds none of them doubles it. */
const WAIT_MS = 5000;
const LONGEST_WAIT_MS = 600_000;
/** Names that are remembered as being none. */
const VAIN_MAX = 1000;

export const useServerEmoji = create<ServerEmojiState>(() => ({ byName: new Map() }));

/** Whose emoji these are; null: nobody's yet. */
let owner: number | null = null;
let stamp: string | null = null;
let isFollowing = false;
let isLoading = false;
let wait = WAIT_MS;
let nextAt = 0;
/** A request is on its way, or will be. */
let isAsking = false;
const wanted = new Set<string>();
const vain = new Set<string>();

/** Keeps them current from now on: what is shown first begins it. */
export function followServerEmoji(): void {
  if (isFollowing) return;
  isFollowing = true;
  restore();
  chat().line.on('open', onOpen);
  if (chat().emojiStamp !== null) onOpen();
}

/** A text names it, and it is not known: the server is asked, within bounds. */
export function lookForEmoji(name: string): void {
  if (vain.has(name) || wanted.has(name) || useServerEmoji.getState().byName.has(name)) return;
  wanted.add(name);
  if (isAsking) return;
  isAsking = true;
  setTimeout(() => void ask(), Math.max(0, nextAt - Date.now()));
}

/** Rejects with an `ApiError`: the name is taken, or the picture is none. */
export async function addServerEmoji(name: string, picture: Blob): Promise<void> {
  await emojiApi(chat().api.requests).add(name, picture);
  await loadServerEmoji();
}

export async function deleteServerEmoji(name: string): Promise<void> {
  await emojiApi(chat().api.requests).delete(name);
  await loadServerEmoji();
}

async function loadServerEmoji(): Promise<void> {
  const emoji = await emojiApi(chat().api.requests).list();
  // `hello` has the stamp of a list before this one, so it is not kept: the next one decides.
  keep({ stamp: null, emoji });
}

async function ask(): Promise<void> {
  const names = [...wanted];
  wanted.clear();
  await loadServerEmoji().catch(() => undefined);
  isAsking = false;
  const { byName } = useServerEmoji.getState();
  wait = names.some((name) => byName.has(name)) ? WAIT_MS : Math.min(2 * wait, LONGEST_WAIT_MS);
  nextAt = Date.now() + wait;
  if (vain.size > VAIN_MAX) vain.clear();
  for (const name of names) if (!byName.has(name)) vain.add(name);
}

function onOpen(): void {
  if (owner !== (chat().user?.id ?? null)) restore();
  vain.clear();
  wait = WAIT_MS;
  nextAt = 0;
  const { emojiStamp: now } = chat();
  if (now === stamp) return;
  if (now === null) return keep({ stamp: null, emoji: [] });
  if (isLoading) return;
  isLoading = true;
  emojiApi(chat().api.requests)
    .list()
    .then((emoji) => keep({ stamp: now, emoji }))
    // The next connection tries again.
    .catch(() => undefined)
    .finally(() => {
      isLoading = false;
    });
}

function keep(kept: Kept): void {
  stamp = kept.stamp;
  useServerEmoji.setState({ byName: new Map(kept.emoji.map((one) => [one.name, one])) });
  if (owner !== null) localStore.setItem(keyOf(owner), JSON.stringify(kept));
}

function restore(): void {
  owner = chat().user?.id ?? null;
  const stored = owner === null ? null : localStore.getItem(keyOf(owner));
  const kept: Kept = stored === null ? { stamp: null, emoji: [] } : JSON.parse(stored);
  stamp = kept.stamp;
  useServerEmoji.setState({ byName: new Map(kept.emoji.map((one) => [one.name, one])) });
}

/** Kept per user, so that signing out deletes it. */
function keyOf(userId: number): string {
  return `chat_server_emoji:${userId}`;
}
