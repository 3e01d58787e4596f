import { useText } from '../../i18n/catalogue.ts';
import { roomPath } from '../../stores/route.ts';
import { showToast } from '../../stores/toasts.ts';
import { useCopy } from '../../ui/use-copy.ts';

/** Copies the address of a room, to invite others. Shows the address when the browser refuses to copy it. */
export function useCopyRoomLink(roomId: number): { readonly copied: boolean; readonly copy: () => void } {
  const text = useText();
  const link = new URL(roomPath(roomId), window.location.origin).href;
  const { copied, copy } = useCopy(link);

  async function copyOrShow(): Promise<void> {
    if (!(await copy())) showToast(text.room.linkNotCopied(link));
  }

  return { copied, copy: () => void copyOrShow() };
}
