import type { Invitation } from '../../../../protocol/rest/rooms.ts';
import { isolate } from '../../i18n/isolate.ts';

/**
 * Who invites, for a sentence; null: the operator of the server. A stranger cannot look anybody up, and everybody may
 * take any display name: the username stands beside it.
 */
export function inviterOf({ inviter, inviter_display_name: name = '' }: Invitation): string | null {
  if (inviter === '') return null;
  return name === '' || name === inviter ? isolate(inviter) : `${isolate(name)} (${isolate(inviter)})`;
}
