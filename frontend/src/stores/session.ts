import { useSyncExternalStore } from 'react';
import {
  browserOptions,
  ChatClient,
  indexedDbOutbox,
  type SessionState,
  type User,
} from '../../../client/index.ts';
import { readRoom } from '../cache/database.ts';
import { flushWhenHidden, forgetLastSeen } from '../cache/last-seen.ts';
import { forgetForeignLastRoom, forgetUser, takeTab } from './device.ts';
import { useDialogs } from './dialogs.ts';
import { navigate, useRoute } from './route.ts';

/** A day in a busy room. Who scrolls back has as many more as they read, until they are at the end again. */
const keep = 2000;

export const chat = new ChatClient({ ...browserOptions(window), keep, restore: readRoom });
flushWhenHidden();

/** Follows the session, in this tab and in all others. */
export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => chat.session.subscribe(listener),
    () => chat.session.state,
  );
}

/** Signs out; where that would lose something that was written, after asking. */
export function askToSignOut(): void {
  if (chat.unsent > 0) useDialogs.getState().show({ kind: 'sign_out' });
  else void signOut();
}

/** Ends this login; what that means for the device follows from it, in this tab and in all others. */
export async function signOut(): Promise<void> {
  await chat.signOut();
}

let present = chat.user;
// While this tab was being loaded again, somebody else may have signed in in another.
if (present !== null && takeTab(present.id)) navigate('/', 'replace');

chat.session.subscribe((state) => {
  const before = present;
  present = state.status === 'signed_in' ? state.user : null;
  if (present !== null) receive(present);
  // A session that merely ended keeps all: its user will be back.
  else if (state.status === 'signed_out' && state.reason !== 'expired' && before !== null) forget(before.id);
});

/** Who signs in where somebody else was is not led to the room where that one was. */
function receive(user: User): void {
  const foreignRoomId = forgetForeignLastRoom(user.id);
  const { route } = useRoute.getState();
  const isForeignTab = takeTab(user.id);
  const isForeignRoom = route.page === 'room' && route.roomId === foreignRoomId;
  if (isForeignTab || isForeignRoom) navigate('/', 'replace');
}

/** Signing out deletes what this device keeps for the user. Each tab does so, as each may have been about to write. */
function forget(userId: number): void {
  navigate('/', 'replace');
  forgetUser(userId);
  void forgetLastSeen(userId);
  const outbox = indexedDbOutbox(userId);
  outbox
    .clear()
    .catch(() => {})
    .finally(() => outbox.close());
  // Once more: what the page noted as it was left.
  setTimeout(() => {
    if (chat.user === null) forgetUser(userId);
  });
}
