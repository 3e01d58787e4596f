import { useSyncExternalStore } from 'react';
import { browserOptions, ChatClient, type SessionState } from '../../../client/index.ts';
import { forgetUser } from './device.ts';
import { navigate } from './route.ts';

/** A day in a busy room. Who scrolls back has as many more as they read, until they are at the end again. */
const keep = 2000;

export const chat = new ChatClient({ ...browserOptions(window), keep });

/** Follows the session, in this tab and in all others. */
export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => chat.session.subscribe(listener),
    () => chat.session.state,
  );
}

/** Signing out deletes what this device keeps for the user; a session that merely ended keeps it. */
export async function signOut(): Promise<void> {
  const { user } = chat;
  if (user !== null) forgetUser(user.id);
  navigate('/', 'replace');
  await chat.signOut();
  // Once more: what the room noted as it was left.
  if (user !== null) forgetUser(user.id);
}
