import { useScreenTexts } from '../../i18n/screens.ts';
import { roomRequests } from '../../stores/requests.ts';
import { useRooms } from '../../stores/rooms.ts';
import { goToRoom, navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { DoorPage } from '../../ui/DoorPage.tsx';
import { Ended } from '../../ui/Ended.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import { InvitationHero } from '../auth/InvitationHero.tsx';
import { useInvitation } from '../auth/use-invitation.ts';

/** The page of an invite link: who invites, and the room. For an ended link it says where to get a new one. */
export function InvitePage({ code }: { readonly code: string }) {
  const { invite } = useScreenTexts();
  const loaded = useInvitation(code);
  const { busy, run } = useRequest();

  if (loaded.status === 'loading') return null;
  // Somebody who is inside needs no invitation to the server.
  if (loaded.status === 'failed' || loaded.value.room === null) {
    return (
      <Ended title={invite.ended} hint={invite.endedHint}>
        <Button look="primary" onClick={() => navigate('/', 'replace')}>
          {invite.toRooms}
        </Button>
      </Ended>
    );
  }

  async function accept(): Promise<void> {
    const joined = await roomRequests().accept(code);
    void useRooms.getState().refresh();
    goToRoom(joined.id);
  }

  return (
    <DoorPage
      hero={<InvitationHero invitation={loaded.value} serverName="" />}
      acts={
        <Button look="primary" aria-disabled={busy} onClick={() => void run(accept)}>
          {invite.accept}
        </Button>
      }
    />
  );
}
