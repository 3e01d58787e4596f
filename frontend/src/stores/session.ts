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

let isNew = false;

/** The user has just made their account on this page: they land in the room that every new user joins. */
export function noteSignUp(): void {
  isNew = true;
}

/** Whether the account was just made; true once. */
export function takeSignUp(): boolean {
  const was = isNew;
  isNew = false;
  return was;
}
