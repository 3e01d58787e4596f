import { useSyncExternalStore } from 'react';
import type { SessionState } from '../../../client/index.ts';
import { chat } from './chat.ts';
import { useDialogs } from './dialogs.ts';

/** The present session, in this tab and in all others. */
export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => chat().session.subscribe(listener),
    () => chat().session.state,
  );
}

/** Signs out. Asks first when unsent messages would be lost. */
export function askToSignOut(): void {
  if (chat().unsent > 0) useDialogs.getState().show({ kind: 'sign_out' });
  else void signOut();
}

/** Ends this session. `app/sync-session.ts` then clears the device, in this tab and in all others. */
export async function signOut(): Promise<void> {
  await chat().signOut();
}
