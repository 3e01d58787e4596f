import type { PendingMessage } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { placeOf, useFiles } from '../../stores/files.ts';
import { AlertIcon } from '../../ui/late-icons.tsx';
import type { PendingActions } from './message-row.ts';
import styles from './NotSent.module.css';

interface NotSentProps {
  readonly entry: PendingMessage;
  readonly actions: PendingActions;
}

/** Why an own message was not sent, and what its author can do about it. */
export function NotSent({ entry, actions: { room, onEdit } }: NotSentProps) {
  const { notSent: text } = useScreenTexts();
  return (
    <div className={styles.failed}>
      <p className={styles.why}>
        <AlertIcon size={16} />
        {text.why(entry.refusal ?? '')}
      </p>
      <div className={styles.actions}>
        <button type="button" onClick={() => room.retry(entry.cid)}>
          {entry.refusal === 'other_database' ? text.send : text.retry}
        </button>
        <button
          type="button"
          onClick={({ currentTarget }) => {
            giveBack(entry, currentTarget);
            onEdit(entry);
          }}
        >
          {text.edit}
        </button>
        <button type="button" className={styles.delete} onClick={() => room.discard(entry.cid)}>
          {text.discard}
        </button>
      </div>
    </div>
  );
}

/** Its files wait at the composer that takes its text. */
function giveBack({ files }: PendingMessage, button: Element): void {
  const flow = button.closest('[data-testid=thread-panel]') === null ? 'room' : 'thread';
  const { place } = placeOf(flow) ?? {};
  if (files !== undefined && place !== undefined) useFiles.getState().uploads?.giveBack(files, place);
}
