/** What somebody reads whom a moderator has muted: until when, and why. */
import type { Catalogue } from '../i18n/en.ts';
import type { ScreenTexts } from '../i18n/screens.ts';
import { clockTime, fullTime } from '../i18n/time.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';

/** As last loaded, by room and end of the mute. */
const reasons = new Map<string, string>();

/** The moderator's reason; empty when there is none, or it cannot be loaded. */
export async function loadReason(roomId: number, until: string): Promise<string> {
  try {
    const { moderationRequests } = await import('../stores/admin-requests.ts');
    const { entries } = await moderationRequests().ownAudit();
    const mute = entries.find(({ action, room }) => action === 'muted' && room?.id === roomId);
    const reason = typeof mute?.details.reason === 'string' ? mute.details.reason : '';
    reasons.set(`${roomId} ${until}`, reason);
    return reason;
  } catch {
    return '';
  }
}

/** Until when the user is muted in the room now; null: they may write. */
export function mutedUntil(roomId: number): string | null {
  const until = useOwnRooms.getState().rooms.get(roomId)?.me.silenced_until;
  return until !== undefined && Date.parse(until) > Date.now() ? until : null;
}

export function mutedWords(
  text: Catalogue,
  { muted, mutedForever, why }: ScreenTexts['bar'],
  until: string,
  reason: string,
): string {
  const end = Date.parse(until);
  const isToday = new Date(end).toDateString() === new Date().toDateString();
  const isForever = until.startsWith('9999');
  const words = isForever ? mutedForever : muted(isToday ? clockTime(text, end) : fullTime(text, end));
  return reason === '' ? words : why(words, reason);
}

/** The same words where the reason has been loaded. */
export function knownMutedWords(
  text: Catalogue,
  bar: ScreenTexts['bar'],
  roomId: number,
  until: string,
): string {
  return mutedWords(text, bar, until, reasons.get(`${roomId} ${until}`) ?? '');
}
