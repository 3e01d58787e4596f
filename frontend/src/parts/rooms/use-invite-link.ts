import type { RoomInfo } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { explain } from '../../i18n/errors.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { roomRequests } from '../../stores/requests.ts';
import { roomPath } from '../../stores/route.ts';
import { showToast } from '../../stores/toasts.ts';
import { useCopy } from '../../ui/use-copy.ts';
import { mayInvite } from './may-invite.ts';

interface MadeInvite {
  readonly id: number;
  readonly url: string;
}

/** The invitations that this page has made, by user and room. The server shows a link only once. */
const made = new Map<string, MadeInvite>();

/**
 * Copies a link that leads into a room: an invitation for those who may invite, else the room's address, which is of
 * use to those alone who may see the room. Shows the link when the browser refuses to copy it.
 */
export function useInviteLink(room: RoomInfo | undefined, roomId: number) {
  const text = useText();
  const { rowMenu } = useScreenTexts();
  const isInvitation = room !== undefined && mayInvite(room);
  const { copied, copy } = useCopy();

  async function copyLink(): Promise<void> {
    try {
      const link = isInvitation
        ? await inviteTo(roomId)
        : new URL(roomPath(roomId), window.location.origin).href;
      if (!(await copy(link))) showToast(rowMenu.linkNotCopied(link));
    } catch (error) {
      showToast(explain(text, error));
    }
  }

  return { isInvitation, copied, copy: () => void copyLink() };
}

/** The invitation that was made before, while it lasts, or a new one. */
async function inviteTo(roomId: number): Promise<string> {
  const key = `${chat().user?.id}:${roomId}`;
  const before = made.get(key);
  if (before !== undefined) {
    const valid = await roomRequests().invites(roomId);
    if (valid.some(({ id }) => id === before.id)) return before.url;
  }
  const { id, url } = await roomRequests().invite(roomId);
  made.set(key, { id, url });
  return url;
}
