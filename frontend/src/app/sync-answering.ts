/** Keeps which message the next text answers: it survives a reload, as the draft does, and all tabs share it. */
import { messagesApi } from '../../../client/index.ts';
import { useAnswering } from '../stores/answering.ts';
import { chat } from '../stores/chat.ts';
import { localStore } from '../stores/device.ts';

interface Kept {
  readonly roomId: number;
  readonly messageId: number;
}

/** Returns the function that ends it. */
export function syncAnswering(): () => void {
  const { user, api } = chat();
  if (user === null) return () => {};
  const key = `chat_answering:${user.id}`;
  let isOver = false;

  const show = async (kept: Kept | null) => {
    const before = useAnswering.getState().message;
    if (kept?.messageId === before?.id) return;
    // The text is not kept here: it may have been edited or deleted.
    const message = kept && (await messagesApi(api.requests).get(kept.roomId, kept.messageId));
    // The user may have chosen another one meanwhile.
    if (isOver || useAnswering.getState().message !== before) return;
    useAnswering.setState({ message: message?.deleted_at === undefined ? message : null });
  };
  const showKept = () => void show(parsed(localStore.getItem(key))).catch(() => {});
  const onStorage = (event: StorageEvent) => event.key === key && showKept();

  if (useAnswering.getState().message === null) showKept();
  const unsubscribe = useAnswering.subscribe(({ message }) => {
    if (message === null) localStore.removeItem(key);
    else localStore.setItem(key, JSON.stringify({ roomId: message.room_id, messageId: message.id }));
  });
  window.addEventListener('storage', onStorage);
  return () => {
    isOver = true;
    window.removeEventListener('storage', onStorage);
    unsubscribe();
    useAnswering.setState({ message: null });
  };
}

function parsed(text: string | null): Kept | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Kept> | null;
    const isKept = Number.isSafeInteger(value?.roomId) && Number.isSafeInteger(value?.messageId);
    return isKept ? (value as Kept) : null;
  } catch {
    return null;
  }
}
