import { type FormEvent, useMemo, useState } from 'react';
import { useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { mayInvite } from '../parts/rooms/may-invite.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { roomRequests } from '../stores/requests.ts';
import { useRooms } from '../stores/rooms.ts';
import { useRoute } from '../stores/route.ts';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import body from '../ui/DialogBody.module.css';
import { MadeLink } from '../ui/MadeLink.tsx';
import { Select } from '../ui/Select.tsx';
import { useRequest } from '../ui/use-loaded.ts';

/** Makes a link that leads into one of the user's rooms: at first the open one. */
export function InvitePeopleDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const { invitePeople, room: roomTexts, list } = useScreenTexts();
  const isSheet = useMedia(NARROW);
  const openId = useRoute(({ route }) => (route.page === 'room' ? route.roomId : null));
  const all = useRooms((store) => store.rooms);
  const rooms = useMemo(
    () =>
      all
        .filter((room) => !room.archived && mayInvite(room))
        .sort((a, b) => a.name.localeCompare(b.name, text.locale)),
    [all, text.locale],
  );
  const [chosen, setChosen] = useState(openId);
  const [made, setMade] = useState<{ readonly roomId: number; readonly url: string } | null>(null);
  const { busy, run } = useRequest();
  const room = rooms.find(({ id }) => id === chosen) ?? rooms[0];
  const isMade = made !== null && made.roomId === room?.id;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (room === undefined) {
      useDialogs.getState().show({ kind: 'create_room', suggestion: '' });
      return;
    }
    const { id: roomId } = room;
    setChosen(roomId);
    void run(async () => setMade({ roomId, url: (await roomRequests().invite(roomId)).url }));
  }

  return (
    <Dialog isSheet={isSheet} onClose={onClose} aria-labelledby="invite-people-title">
      <form className={body.body} onSubmit={submit}>
        <div>
          <h2 id="invite-people-title" className={body.title}>
            {invitePeople.title}
          </h2>
          <p className={body.hint}>{room === undefined ? invitePeople.none : invitePeople.hint}</p>
        </div>
        {room !== undefined && (
          <Select
            label={invitePeople.room}
            rule={roomTexts.inviteHint}
            value={room.id}
            onChange={(event) => setChosen(Number(event.target.value))}
          >
            {rooms.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        {isMade && <MadeLink key={made.url} url={made.url} hint={roomTexts.inviteOnce} />}
        <div className={body.actions}>
          <Button onClick={onClose}>{text.dialogs.close}</Button>
          {/* What was made is to be copied first. */}
          <Button type="submit" look={isMade ? 'plain' : 'primary'} aria-disabled={busy}>
            {room === undefined ? list.createFirst : roomTexts.invite}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
