import { useText } from '../../i18n/catalogue.ts';
import { roomPath } from '../../stores/route.ts';
import { showToast } from '../../stores/toasts.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CheckIcon, LinkIcon } from '../../ui/icons.tsx';
import { useCopy } from '../../ui/use-copy.ts';

/** Copies the room's address, to invite others by it. */
export function CopyLinkButton({ roomId }: { readonly roomId: number }) {
  const text = useText();
  const link = new URL(roomPath(roomId), window.location.origin).href;
  const { copied, copy } = useCopy(link);

  async function copyOrShow(): Promise<void> {
    if (!(await copy())) showToast(text.room.linkNotCopied(link));
  }

  return (
    <>
      <IconButton label={text.room.copyLink} onClick={() => void copyOrShow()}>
        {copied ? <CheckIcon /> : <LinkIcon />}
      </IconButton>
      <span className="visually-hidden" role="status">
        {copied && text.room.linkCopied}
      </span>
    </>
  );
}
