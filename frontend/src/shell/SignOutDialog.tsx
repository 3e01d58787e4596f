import { useState } from 'react';
import { useFullTexts } from '../i18n/screens.ts';
import { chat } from '../stores/chat.ts';
import { signOut } from '../stores/session.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';

/** Asks before signing out deletes unsent messages. */
export function SignOutDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const [count] = useState(() => chat().unsent);
  return (
    <ConfirmDialog
      title={text.signOut.title(count)}
      hint={text.signOut.hint}
      stay={text.signOut.stay}
      confirm={text.menu.signOut}
      look="danger"
      onConfirm={() => void signOut()}
      onClose={onClose}
    />
  );
}
