import type { Change, Message } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useChanges } from '../../stores/changes.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './EditConflict.module.css';
import { focusRow } from './focus-row.ts';

interface EditConflictProps {
  readonly message: Message;
  readonly change: Change;
  readonly active: boolean;
}

/** The text was edited elsewhere meanwhile, which is shown above. The own text is not lost: the author chooses. */
export function EditConflict({ message, change, active }: EditConflictProps) {
  const { message: texts } = useScreenTexts();
  const { wanted, key, conflict } = change;
  const changes = useChanges((store) => store.changes);
  if (wanted.kind !== 'edit' || conflict === null) return null;
  const base = Math.max(conflict.revision ?? 0, message.revision ?? 0);
  return (
    <div className={styles.box} role="alert" data-testid="edit-conflict">
      <p className={styles.why}>{texts.conflict}</p>
      <blockquote className={styles.mine}>{wanted.content}</blockquote>
      <p className={styles.actions}>
        <Button
          look="primary"
          tabIndex={active ? 0 : -1}
          onClick={({ currentTarget }) => {
            focusRow(currentTarget);
            changes?.make(message.room_id, message.id, { ...wanted, base });
          }}
        >
          {texts.keepMine}
        </Button>
        <Button
          tabIndex={active ? 0 : -1}
          onClick={({ currentTarget }) => {
            focusRow(currentTarget);
            changes?.discard(key);
          }}
        >
          {texts.keepTheirs}
        </Button>
      </p>
    </div>
  );
}
