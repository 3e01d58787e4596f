import { useEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { roomPath } from '../stores/route.ts';
import { showToast } from '../stores/toasts.ts';
import { IconButton } from '../ui/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { CheckIcon, LinkIcon } from '../ui/icons.tsx';

const DONE_MS = 2000;

/** Copies the room's address, to invite others by it. */
export function CopyLinkButton({ roomId }: { readonly roomId: number }) {
  const text = useText();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(): Promise<void> {
    const link = new URL(roomPath(roomId), window.location.origin).href;
    if (await copyText(link)) setCopied(true);
    else showToast(text.room.linkNotCopied(link));
  }

  return (
    <>
      <IconButton label={text.room.copyLink} onClick={() => void copy()}>
        {copied ? <CheckIcon /> : <LinkIcon />}
      </IconButton>
      <span className="visually-hidden" role="status">
        {copied && text.room.linkCopied}
      </span>
    </>
  );
}
