import {
  browserSignals,
  type Change,
  Changes,
  indexedDbChanges,
  messagesApi,
  systemClock,
  withChanges,
} from '../../../client/index.ts';
import { screenTexts } from '../i18n/screens.ts';
import { reopenEdit, resumeEdit } from '../room/message/edit-draft.ts';
import { type ChangesOf, useChanges } from '../stores/changes.ts';
import { chat } from '../stores/chat.ts';
import { useEditing } from '../stores/editing.ts';
import { useOwnReactions } from '../stores/own-reactions.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { rememberSaved } from '../stores/saved.ts';
import { showToast } from '../stores/toasts.ts';
import { copyText } from '../ui/copy-text.ts';

/** Sends the user's changes of messages, and shows them until they are confirmed. Returns the function that ends it. */
export function syncChanges(): () => void {
  const { user, api, line, session, rooms, notifications } = chat();
  if (user === null) return () => {};
  const changes = new Changes({
    userId: user.id,
    api: messagesApi(api.requests),
    line,
    store: indexedDbChanges(user.id),
    locks: navigator.locks,
    epoch: () => rooms.state.epoch,
    onChange: (all) => useChanges.setState({ byMessage: byMessage(all, user.id) }),
    onRefused: (change, code) => void refused(change, code),
    clock: systemClock,
    random: Math.random,
  });
  useChanges.setState({ changes });
  resumeEdit();
  const hurry = () => changes.hurry();
  window.addEventListener('pagehide', hurry);
  const ends = [
    browserSignals(window)((signal) => signal === 'wake' && changes.retryNow()),
    notifications.on('saved', ({ message_id: id, removed }) => rememberSaved(id, !removed)),
    () => window.removeEventListener('pagehide', hurry),
  ];
  return () => {
    for (const end of ends) end();
    const { state } = session;
    const isForgotten = state.status === 'signed_out' && state.reason !== 'expired';
    void (isForgotten ? changes.clear() : Promise.resolve()).finally(() => changes.close());
    useChanges.setState(useChanges.getInitialState());
    useOwnReactions.setState(useOwnReactions.getInitialState());
    useEditing.setState({ messageId: null });
  };
}

/** Says why a change was withdrawn. The screen shows the message without it. */
async function refused({ roomId, messageId, wanted }: Change, code: string): Promise<void> {
  if (wanted.kind === 'saved') rememberSaved(messageId, !wanted.on);
  // What happened while the device was offline is known with the list of rooms.
  await listIsCurrent();
  const isArchived = useOwnRooms.getState().rooms.get(roomId)?.room.archived === true;
  const { changes, kept } = screenTexts();
  const words = changes.refused(wanted.kind, isArchived ? 'archived' : code);
  if (wanted.kind !== 'edit') return showToast(words);
  const { content, base } = wanted;
  // In another database the number may be that of another message.
  const isOpen = code !== 'other_database' && reopenEdit({ messageId, roomId, content, base });
  showToast(words, isOpen ? undefined : { label: kept.copy, run: () => void copyText(content) });
}

async function listIsCurrent(): Promise<void> {
  if (useOwnRooms.getState().isCurrent) return;
  await new Promise<void>((resolve) => {
    const end = useOwnRooms.subscribe(({ isCurrent }) => {
      if (!isCurrent) return;
      end();
      resolve();
    });
  });
}

function byMessage(all: readonly Change[], me: number): ReadonlyMap<number, ChangesOf> {
  const ids = new Set(all.map(({ messageId }) => messageId));
  return new Map(
    [...ids].map((id) => {
      const list = all.filter(({ messageId }) => messageId === id);
      return [id, { list, apply: (message) => withChanges(message, list, me) }];
    }),
  );
}
