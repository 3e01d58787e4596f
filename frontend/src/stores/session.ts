import { useSyncExternalStore } from 'react';
import { browserOptions, ChatClient, type SessionState } from '../../../client/index.ts';
import { forgetUser } from './device.ts';
import { navigate } from './route.ts';

/** A reader may scroll back as far as they like. */
const keep = Number.POSITIVE_INFINITY;

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
  if (chat.user !== null) forgetUser(chat.user.id);
  navigate('/', 'replace');
  await chat.signOut();
}
