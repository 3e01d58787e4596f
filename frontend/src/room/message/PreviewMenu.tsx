import { useRef, useState } from 'react';
import { type Message, messagesApi } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useFileRights } from '../../parts/files/file-rights.ts';
import { chat } from '../../stores/chat.ts';
import { showToast } from '../../stores/toasts.ts';
import { Apart } from '../../ui/Apart.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TrashIcon } from '../../ui/late-icons.tsx';
import { MoreMenu } from '../../ui/MoreMenu.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './LinkPreviews.module.css';

interface PreviewMenuProps {
  readonly message: Message;
  readonly host: string;
  readonly active: boolean;
}

/** A button that removes the previews of a message, for its author and for moderators. */
export function PreviewMenu({ message, host, active }: PreviewMenuProps) {
  const text = useText();
  const { previews: texts } = useScreenTexts();
  const { mayDelete } = useFileRights(message);
  const { run } = useRequest();
  const [isAsked, setAsked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!mayDelete) return null;
  const label = texts.actions(isolate(host));
  const count = message.previews?.length ?? 1;

  async function remove(): Promise<void> {
    const row = button.current?.closest<HTMLElement>('[data-row=message]');
    await messagesApi(chat().api.requests).removePreviews(message.room_id, message.id);
    showToast(texts.removed(count));
    // The button goes with the card.
    row?.focus({ preventScroll: true });
  }

  return (
    <>
      <MoreMenu
        ref={button}
        className={styles.more}
        label={label}
        active={active}
        actions={[{ name: texts.remove(count), icon: TrashIcon, isDanger: true, run: () => setAsked(true) }]}
      />
      {isAsked && (
        <Apart>
          <ConfirmDialog
            title={texts.removeTitle(count)}
            hint={texts.removeHint}
            stay={text.dialogs.close}
            confirm={texts.removeConfirm}
            look="danger"
            onConfirm={() => void run(remove)}
            onClose={() => setAsked(false)}
          />
        </Apart>
      )}
    </>
  );
}
