import { useEffect } from 'react';
import { EmojiPicker } from '../../parts/emoji/EmojiPicker.tsx';
import { MessageMenu } from './MessageMenu.tsx';
import { react } from './message-commands.ts';
import { closeMessageMenu, useMessageMenu } from './message-menu-store.ts';

/** The menu of a message, or the emoji to react with, while one of them is open. */
export function MessageMenuHost() {
  const open = useMessageMenu((store) => store.open);
  const anchor = open?.anchor;

  useEffect(() => {
    // Its bar stays, for the dialog stands beside it and gives the focus back to it. That happens before this ends.
    const row = anchor?.closest('li');
    row?.setAttribute('data-menu', '');
    return () => row?.removeAttribute('data-menu');
  }, [anchor]);

  if (open === null) return null;
  const { message, view } = open;
  if (view === 'menu') return <MessageMenu message={message} anchor={open.anchor} />;
  return (
    <EmojiPicker
      hasOwn
      anchor={open.anchor}
      onPick={(emoji) => react(message, emoji)}
      onClose={closeMessageMenu}
    />
  );
}
