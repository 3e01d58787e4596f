import { useCallback, useState } from 'react';
import { ApiError, type DeletedRoom } from '../../../../client/index.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { dayName } from '../../i18n/time.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { adminRequests } from '../../stores/admin-requests.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import { Empty } from '../../ui/Empty.tsx';
import { Field } from '../../ui/Field.tsx';
import list from '../../ui/List.module.css';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';

/** Deleted rooms, which can be restored for a while. */
export function RoomsTab() {
  const text = useFullTexts();
  const { admin, browse } = useScreenTexts();
  const load = useCallback(() => adminRequests().deletedRooms(), []);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  const [named, setNamed] = useState<DeletedRoom | null>(null);

  /** Whether it is restored; false when its name is taken. */
  async function restore(
    { id }: DeletedRoom,
    rooms: readonly DeletedRoom[],
    name?: string,
  ): Promise<boolean> {
    try {
      await adminRequests().restoreRoom(id, name);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return false;
      throw error;
    }
    set(rooms.filter((other) => other.id !== id));
    return true;
  }

  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {(rooms) =>
        rooms.length === 0 ? (
          <Empty drawing="closed_door" title={admin.noRooms} hint={admin.noRoomsHint} />
        ) : (
          <>
            <p className={styles.hint}>{admin.roomsHint}</p>
            <ul className={`${list.list} ${styles.wide}`} aria-label={admin.deletedRooms}>
              {rooms.map((room) => (
                <li key={room.id} className={list.row} data-small="true" data-testid="deleted-room">
                  <span className={list.text}>
                    <span className={list.name}>{room.name}</span>
                    <span className={list.note}>
                      {browse.members(room.members)} ·{' '}
                      {admin.purged(dayName(text, Date.parse(room.purged_at), Date.now()))}
                    </span>
                  </span>
                  <Button
                    aria-disabled={busy}
                    aria-label={admin.restoreOne(room.name)}
                    onClick={() =>
                      void run(async () => {
                        if (!(await restore(room, rooms))) setNamed(room);
                      })
                    }
                  >
                    {admin.restore}
                  </Button>
                </li>
              ))}
            </ul>
            {named !== null && (
              <NameDialog
                room={named}
                onRestore={(name) => restore(named, rooms, name)}
                onClose={() => setNamed(null)}
              />
            )}
          </>
        )
      }
    </WhenLoaded>
  );
}

interface NameDialogProps {
  readonly room: DeletedRoom;
  readonly onRestore: (name: string) => Promise<boolean>;
  readonly onClose: () => void;
}

/** Asks for another name, because the room's own is taken. */
function NameDialog({ room, onRestore, onClose }: NameDialogProps) {
  const { createRoom } = useFullTexts();
  const { admin } = useScreenTexts();
  const { busy, run } = useRequest();
  const [name, setName] = useState(room.name);
  const [isTaken, setTaken] = useState(true);
  return (
    <Dialog onClose={onClose} aria-labelledby="restore-title">
      <form
        className={body.body}
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            if (await onRestore(name)) onClose();
            else setTaken(true);
          });
        }}
      >
        <h2 id="restore-title" className={body.title}>
          {admin.restoreOne(room.name)}
        </h2>
        <Field
          label={admin.newName}
          autoComplete="off"
          value={name}
          error={isTaken ? createRoom.taken : undefined}
          onChange={({ target }) => {
            setName(target.value);
            setTaken(false);
          }}
        />
        <div className={body.actions}>
          <Button onClick={onClose}>{admin.cancel}</Button>
          <Button look="primary" type="submit" aria-disabled={busy}>
            {admin.restore}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
