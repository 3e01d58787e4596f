import { useText } from '../../i18n/catalogue.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CheckIcon, LinkIcon } from '../../ui/icons.tsx';
import { useCopyRoomLink } from './use-copy-room-link.ts';

/** Copies the address of the room, to invite others. */
export function CopyLinkButton({ roomId }: { readonly roomId: number }) {
  const text = useText();
  const { copied, copy } = useCopyRoomLink(roomId);
  return (
    <>
      <IconButton label={text.room.copyLink} onClick={copy}>
        {copied ? <CheckIcon /> : <LinkIcon />}
      </IconButton>
      <span className="visually-hidden" role="status">
        {copied && text.room.linkCopied}
      </span>
    </>
  );
}
