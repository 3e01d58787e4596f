import { useRef, useState } from 'react';
import { type Message, messagesApi } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Apart } from '../../parts/files/Apart.tsx';
import { useFileRights } from '../../parts/files/file-rights.ts';
import { chat } from '../../stores/chat.ts';
import { showToast } from '../../stores/toasts.ts';
import { ActionMenu } from '../../ui/ActionMenu.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { MoreIcon, TrashIcon } from '../../ui/late-icons.tsx';
import type { MenuPlace } from '../../ui/place-menu.ts';
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
  const [at, setAt] = useState<MenuPlace | null>(null);
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
      <button
        ref={button}
        type="button"
        className={styles.more}
        tabIndex={active ? 0 : -1}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={at !== null}
        onClick={({ currentTarget }) => setAt({ box: currentTarget.getBoundingClientRect(), align: 'right' })}
      >
        <MoreIcon size={18} />
      </button>
      {at !== null && (
        <Apart>
          <ActionMenu
            label={label}
            at={at}
            actions={[
              { name: texts.remove(count), icon: TrashIcon, isDanger: true, run: () => setAsked(true) },
            ]}
            onClose={() => setAt(null)}
          />
        </Apart>
      )}
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
