import { useScreenTexts } from '../../i18n/screens.ts';
import { useInviteLink } from '../../parts/rooms/use-invite-link.ts';
import { useRooms } from '../../stores/rooms.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckIcon, LinkIcon } from '../../ui/icons.tsx';

/** Copies a link that leads into the room. */
export function CopyLinkButton({ roomId }: { readonly roomId: number }) {
  const { threshold } = useScreenTexts();
  const room = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));
  const { isInvitation, copied, copy } = useInviteLink(room, roomId);
  return (
    <div>
      <Button onClick={copy}>
        {copied ? <CheckIcon size={18} /> : <LinkIcon size={18} />}
        {isInvitation ? threshold.copyInvite : threshold.copyLink}
      </Button>
      <span className="visually-hidden" role="status">
        {copied && threshold.copied}
      </span>
    </div>
  );
}
