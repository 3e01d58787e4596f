import { lazyPart } from '../../shell/lazy-part.tsx';
import { MessageMenu } from './MessageMenu.tsx';
import { react } from './message-commands.ts';
import { closeMessageMenu, useMessageMenu } from './message-menu-store.ts';

const EmojiPicker = lazyPart(async () => (await import('../../emoji/EmojiPicker.tsx')).EmojiPicker);

/** The menu of a message, or the emoji to react with, while one of them is open. */
export function MessageMenuHost() {
  const open = useMessageMenu((store) => store.open);
  if (open === null) return null;
  const { message, anchor, view } = open;
  if (view === 'menu') return <MessageMenu message={message} anchor={anchor} />;
  return <EmojiPicker anchor={anchor} onPick={(emoji) => react(message, emoji)} onClose={closeMessageMenu} />;
}
