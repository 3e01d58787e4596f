import { useScreenTexts } from '../../i18n/screens.ts';
import { roomRequests } from '../../stores/requests.ts';
import { useRequest } from '../../ui/use-loaded.ts';
import { type CallFacts, callOf, outsidersIn } from './calls.ts';
import { rememberPeople, useFoundPeople } from './found-people.ts';
import styles from './MentionNotes.module.css';

interface MentionNotesProps {
  readonly text: string;
  readonly roomId: number;
  readonly facts: CallFacts;
}

/** Says which mentions in the text will notify nobody, before it is sent. */
export function MentionNotes({ text, roomId, facts }: MentionNotesProps) {
  const { completing } = useScreenTexts();
  const found = useFoundPeople();
  const { busy, run } = useRequest();
  const isClosed = facts.room.kind !== 'public';
  const [outsider] = isClosed && found.roomId === roomId ? outsidersIn(text, found.byKey) : [];
  const isRefused = callOf([text], facts)?.isAllowed === false;
  if (outsider === undefined && !isRefused) return null;
  return (
    <div className={styles.notes} role="status" data-testid="mention-notes">
      {isRefused && <p>{completing.mayNotCall}</p>}
      {outsider !== undefined && (
        <p>
          {completing.outsider(outsider.displayName || outsider.username)}{' '}
          {facts.room.kind === 'private' && (
            <button
              type="button"
              className={styles.invite}
              aria-disabled={busy}
              onClick={() =>
                void run(async () => {
                  await roomRequests().setMember(roomId, outsider.id);
                  rememberPeople(roomId, [{ ...outsider, isMember: true }]);
                })
              }
            >
              {completing.invite}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
