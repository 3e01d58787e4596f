/** Which messages the user has saved, as far as that is known. */
import { create } from 'zustand';
import { messagesApi } from '../../../client/index.ts';
import type { ChangesOf } from './changes.ts';
import { chat } from './chat.ts';

interface SavedStore {
  /** The ids of messages; null until they were asked for. */
  readonly ids: ReadonlySet<number> | null;
}

export const useSaved = create<SavedStore>(() => ({ ids: null }));

/** The most that is asked for: a message that was saved before those can be saved again, which changes nothing. */
const KNOWN = 100;

let asked: number | null = null;

/** Asks for them, once. Without a server they stay unknown. */
export async function loadSaved(): Promise<void> {
  const userId = chat().user?.id ?? null;
  if (asked === userId) return;
  asked = userId;
  useSaved.setState({ ids: null });
  try {
    const { saved } = await messagesApi(chat().api.requests).saved({ limit: KNOWN });
    const now = useSaved.getState().ids ?? [];
    useSaved.setState({ ids: new Set([...saved.map(({ message }) => message.id), ...now]) });
  } catch {
    asked = null;
  }
}

/** Whether the user keeps the message, or will once the server has it. */
export function isSaved(ids: SavedStore['ids'], { list }: ChangesOf, messageId: number): boolean {
  const waiting = list.map(({ wanted }) => wanted).findLast(({ kind }) => kind === 'saved');
  return waiting?.kind === 'saved' ? waiting.on : ids?.has(messageId) === true;
}

export function rememberSaved(messageId: number, on: boolean): void {
  const ids = new Set(useSaved.getState().ids);
  if (on) ids.add(messageId);
  else ids.delete(messageId);
  useSaved.setState({ ids });
}
