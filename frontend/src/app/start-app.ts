import { browserOptions, ChatClient } from '../../../client/index.ts';
import { readOwnRooms, readRoom } from '../stores/cache/database.ts';
import { flushWhenHidden } from '../stores/cache/last-seen.ts';
import { provideChat } from '../stores/chat.ts';
import { syncRoute } from '../stores/route.ts';
import { syncTheme } from '../stores/theme.ts';
import { syncSession } from './sync-session.ts';

/** About a day in a busy room. A reader who scrolls back holds more, until they are at the end again. */
const KEEP_MESSAGES = 2000;

/** Builds the client and starts everything that lives as long as the page. Importing a store starts nothing. */
export function startApp(): void {
  syncRoute();
  syncTheme();
  flushWhenHidden();
  const chat = new ChatClient({
    ...browserOptions(window),
    keep: KEEP_MESSAGES,
    restore: readRoom,
    restoreRooms: readOwnRooms,
  });
  provideChat(chat);
  syncSession(chat);
}
