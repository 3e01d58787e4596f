import type { Change } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useChanges } from '../../stores/changes.ts';
import { TrashIcon } from '../../ui/late-icons.tsx';
import { focusRow } from './focus-row.ts';
import styles from './Tombstone.module.css';

interface TombstoneProps {
  /** The deletion that can still be taken back, if any. */
  readonly waiting: Change | undefined;
  readonly active: boolean;
}

/** Stands in place of a text that was deleted. */
export function Tombstone({ waiting, active }: TombstoneProps) {
  const { message: texts } = useScreenTexts();
  const changes = useChanges((store) => store.changes);
  return (
    <p className={styles.gone} data-testid="deleted-message">
      <TrashIcon size={14} />
      {texts.gone}
      {waiting !== undefined && (
        <button
          type="button"
          tabIndex={active ? 0 : -1}
          onClick={({ currentTarget }) => {
            focusRow(currentTarget);
            changes?.discard(waiting.key);
          }}
        >
          {texts.undo}
        </button>
      )}
    </p>
  );
}
