import { useCallback, useEffect, useRef, useState } from 'react';
import { type Change, type Message, messagesApi, type SavedPage as Saved } from '../../../../client/index.ts';
import { unsave } from '../../room/message/message-commands.ts';
import { readPage } from '../../stores/cache/database.ts';
import { keepPage } from '../../stores/cache/last-seen.ts';
import { useChanges } from '../../stores/changes.ts';
import { chat } from '../../stores/chat.ts';
import { onRoomsLost } from '../../stores/own-rooms.ts';
import { type LastSeen, useLoaded } from '../../ui/use-loaded.ts';

const LAST_SEEN: LastSeen<Saved> = {
  read: async () => {
    const { user } = chat();
    return user === null ? null : await readPage<Saved>(user.id, 'saved');
  },
  keep: (page) => {
    const { user } = chat();
    if (user !== null) keepPage(user.id, 'saved', page);
  },
};

/** The list of saved messages, and the ids of those that the user has taken from it since it was loaded. */
export function useSaved() {
  const [taken, setTaken] = useState<ReadonlySet<number>>(new Set());
  const shown = useRef<Saved | null>(null);
  const load = useCallback(async () => {
    const latest = await messagesApi(chat().api.requests).saved();
    return shown.current === null ? latest : withNew(shown.current, latest);
  }, []);
  const { loaded, reload, set } = useLoaded(load, LAST_SEEN);

  useEffect(() => {
    shown.current = loaded.status === 'ready' && !loaded.isLastSeen ? loaded.value : null;
  }, [loaded]);

  // The list may have been loaded before the server had what was saved last.
  useEffect(
    () =>
      onceSaved((messageId, note) => {
        const page = shown.current;
        if (!page?.saved.some(({ message }) => message.id === messageId)) return reload();
        if (note !== undefined) set(withNote(page, messageId, note));
      }),
    [reload, set],
  );

  // The messages of a lost room are not among those that the server sends.
  useEffect(
    () =>
      onRoomsLost(() => {
        shown.current = null;
        reload();
      }),
    [reload],
  );

  // What was removed just before a reload may be in the list that was loaded after it.
  const removing = useChanges(removedIds);
  useEffect(() => {
    const ids = removing.split(' ').filter(Boolean).map(Number);
    setTaken((before) => (ids.every((id) => before.has(id)) ? before : new Set([...before, ...ids])));
  }, [removing]);

  function take(message: Message, note: string): void {
    const onUndone = () => setTaken((before) => new Set([...before].filter((id) => id !== message.id)));
    unsave(message, { note, onUndone });
    setTaken(new Set([...taken, message.id]));
  }

  return { loaded, reload, set, taken, take };
}

/**
 * Calls `listener` with each message once the server has it among the saved ones. Returns the function that ends it.
 */
function onceSaved(listener: (messageId: number, note: string | undefined) => void): () => void {
  const known = new WeakSet<Change>();
  return useChanges.subscribe(({ byMessage }) => {
    for (const change of [...byMessage.values()].flatMap(({ list }) => list)) {
      const { wanted, messageId, confirmed } = change;
      if (wanted.kind !== 'saved' || !wanted.on || !confirmed || known.has(change)) continue;
      known.add(change);
      listener(messageId, wanted.note);
    }
  });
}

function withNew(page: Saved, latest: Saved): Saved {
  const ids = new Set(page.saved.map(({ message }) => message.id));
  return { ...page, saved: [...latest.saved.filter(({ message }) => !ids.has(message.id)), ...page.saved] };
}

function withNote(page: Saved, messageId: number, note: string): Saved {
  const saved = page.saved.map((entry) => (entry.message.id === messageId ? { ...entry, note } : entry));
  return { ...page, saved };
}

/** The messages whose removal from the list is on its way, as text: a store compares what it returns. */
function removedIds({ byMessage }: ReturnType<typeof useChanges.getState>): string {
  const removed = [...byMessage].filter(([, { list }]) =>
    list.some(({ wanted }) => wanted.kind === 'saved' && !wanted.on),
  );
  return removed.map(([id]) => id).join(' ');
}
