import { filesApi, type OutboxFile } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import type { FileMessage } from '../../stores/dialogs.ts';
import { noteDeletedFile, noteDescribedFile } from '../../stores/file-changes.ts';
import { showToast } from '../../stores/toasts.ts';
import { Apart } from '../../ui/Apart.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import { AltDialog } from './AltDialog.tsx';

interface FileDialogProps {
  readonly file: OutboxFile;
  readonly of: FileMessage;
  readonly onClose: () => void;
}

/** Describes a file of a message, or asks before it is deleted. */
export function FileDialogs({ asked, ...rest }: FileDialogProps & { readonly asked: 'describe' | 'delete' }) {
  return <Apart>{asked === 'describe' ? <Describe {...rest} /> : <Delete {...rest} />}</Apart>;
}

function Describe({ file, of, onClose }: FileDialogProps) {
  const { files: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const { key, name, alt = '' } = file;

  async function save(wanted: string): Promise<void> {
    if (key === null) return;
    if (wanted !== alt) {
      await filesApi(chat().api.requests).describe({ roomId: of.room_id, messageId: of.id, key }, wanted);
      noteDescribedFile(key, wanted);
      showToast(wanted === '' ? texts.descriptionRemoved : texts.descriptionSaved);
    }
    onClose();
  }

  return (
    <AltDialog
      name={name}
      alt={alt}
      isBusy={busy}
      onSave={(wanted) => void run(() => save(wanted))}
      onClose={onClose}
    />
  );
}

function Delete({ file, of, onClose }: FileDialogProps) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const { run } = useRequest();
  const { key, name } = file;
  const { content, files } = of;
  const isLast = content?.trim() === '' && files?.length === 1;
  const hint = isLast ? texts.deleteLast : content === undefined ? texts.deleteUnknown : texts.deleteHint;

  async function remove(): Promise<void> {
    if (key === null) return;
    await filesApi(chat().api.requests).delete({ roomId: of.room_id, messageId: of.id, key });
    noteDeletedFile(key);
    showToast(isLast ? texts.deletedWithMessage : texts.deletedFile);
  }

  return (
    <ConfirmDialog
      title={texts.deleteTitle(isolate(name))}
      hint={hint}
      stay={text.dialogs.close}
      confirm={texts.deleteConfirm}
      look="danger"
      onConfirm={() => void run(remove)}
      onClose={onClose}
    />
  );
}
