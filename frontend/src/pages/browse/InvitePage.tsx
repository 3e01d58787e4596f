import { useCallback } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { roomRequests } from '../../stores/requests.ts';
import { useRooms } from '../../stores/rooms.ts';
import { goToRoom, navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';

/** The page of an invite link: the room and the inviter. For an ended link it says where to get a new one. */
export function InvitePage({ code }: { readonly code: string }) {
  const { invite } = useScreenTexts();
  const load = useCallback(() => roomRequests().invitation(code), [code]);
  const { loaded } = useLoaded(load);
  const { busy, run } = useRequest();

  if (loaded.status === 'loading') return null;
  const room = loaded.status === 'ready' ? loaded.value.room : null;
  if (loaded.status === 'failed' || room === null) {
    return (
      <Empty page drawing="closed_door" title={invite.ended} hint={invite.endedHint}>
        <Button look="primary" onClick={() => navigate('/', 'replace')}>
          {invite.toRooms}
        </Button>
      </Empty>
    );
  }
  return (
    <Empty
      page
      drawing="open_door"
      title={invite.to(room.name)}
      hint={`${invite.from(loaded.value.inviter)} ${invite.members(room.members)}`}
    >
      <Button
        look="primary"
        aria-disabled={busy}
        onClick={() =>
          void run(async () => {
            const joined = await roomRequests().accept(code);
            void useRooms.getState().refresh();
            goToRoom(joined.id);
          })
        }
      >
        {invite.accept}
      </Button>
    </Empty>
  );
}
