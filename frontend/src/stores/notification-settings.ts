/** What notifies the user and how, as the server has it. Other devices may change it. */
import { type NotificationSettings, notificationsApi, peopleApi } from '../../../client/index.ts';
import { chat } from './chat.ts';

/** What was read is not read again for this time. */
const FRESH_MS = 60_000;

let held: { readonly userId: number; readonly at: number; readonly settings: NotificationSettings } | null =
  null;

/** The settings, at most a minute old. Without a server, those last read. */
export async function notificationSettings(): Promise<NotificationSettings> {
  const userId = chat().user?.id ?? 0;
  const known = held?.userId === userId ? held : null;
  if (known !== null && performance.now() - known.at < FRESH_MS) return known.settings;
  try {
    const me = await peopleApi(chat().api.requests).me();
    return hold(userId, me.settings.notifications ?? {});
  } catch {
    return known?.settings ?? {};
  }
}

/** Replaces the settings. Rejects with an `ApiError`. */
export async function saveNotificationSettings(settings: NotificationSettings): Promise<void> {
  const userId = chat().user?.id ?? 0;
  await notificationsApi(chat().api.requests).setNotifications(settings);
  hold(userId, settings);
}

function hold(userId: number, settings: NotificationSettings): NotificationSettings {
  held = { userId, at: performance.now(), settings };
  return settings;
}
