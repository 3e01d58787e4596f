import { useText } from '../../i18n/catalogue.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckIcon, LinkIcon } from '../../ui/icons.tsx';
import { useCopyRoomLink } from './use-copy-room-link.ts';

/** Copies the address of the room, to invite others. */
export function CopyLinkButton({ roomId }: { readonly roomId: number }) {
  const text = useText();
  const { copied, copy } = useCopyRoomLink(roomId);
  return (
    <div>
      <Button onClick={copy}>
        {copied ? <CheckIcon size={18} /> : <LinkIcon size={18} />}
        {text.room.copyLink}
      </Button>
      <span className="visually-hidden" role="status">
        {copied && text.room.linkCopied}
      </span>
    </div>
  );
}
