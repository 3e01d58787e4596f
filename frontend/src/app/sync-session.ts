/** What a change of the session means for this device: where the tab goes, and what is deleted. */
import { type ChatClient, indexedDbOutbox, type User } from '../../../client/index.ts';
import { forgetLastSeen, keepLastSeen } from '../stores/cache/last-seen.ts';
import { adoptLastRoom, forgetForeignLastRoom, forgetUser, takeTab } from '../stores/device.ts';
import { navigate, useRoute } from '../stores/route.ts';

/** Keeps the page in sync with the session from now on, for as long as the page lives. */
export function syncSession(chat: ChatClient): void {
  let present = chat.user;
  if (present !== null) {
    adoptLastRoom(present.id);
    // Another user may have signed in in another tab while this one was being reloaded.
    if (takeTab(present.id)) navigate('/', 'replace');
  }

  chat.session.subscribe((state) => {
    const before = present;
    present = state.status === 'signed_in' ? state.user : null;
    if (present !== null) receive(present);
    // A session that merely expired keeps everything: its user will be back.
    else if (state.status === 'signed_out' && state.reason !== 'expired' && before !== null) {
      forget(chat, before.id);
    }
  });
}

/** Takes a new user home when the tab, or the room in its address, belonged to another user. */
function receive(user: User): void {
  keepLastSeen(user.id);
  const foreignRoomId = forgetForeignLastRoom(user.id);
  const { route } = useRoute.getState();
  const isForeignTab = takeTab(user.id);
  const isForeignRoom = route.page === 'room' && route.roomId === foreignRoomId;
  if (isForeignTab || isForeignRoom) navigate('/', 'replace');
}

/** Deletes what this device keeps of a user who signed out. Every tab does so: each may have been about to write. */
function forget(chat: ChatClient, userId: number): void {
  navigate('/', 'replace');
  forgetUser(userId);
  void forgetLastSeen(userId);
  const outbox = indexedDbOutbox(userId);
  outbox
    .clear()
    .catch(() => {})
    .finally(() => outbox.close());
  // Once more, for what the page wrote as it was left.
  setTimeout(() => {
    if (chat.user === null) forgetUser(userId);
  });
}
