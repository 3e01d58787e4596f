import { useState } from 'react';
import { ApiError } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { usePeople } from '../../stores/people.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { DoorPage } from '../../ui/DoorPage.tsx';
import { Ended } from '../../ui/Ended.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { useRequest } from '../../ui/use-loaded.ts';

/** What the link in the server's log leads to while the server has no admin: its code makes the user one, once. */
export function SetupPage({ code }: { readonly code: string }) {
  const { setup } = useScreenTexts();
  // The link is open again after it has been used, as by a reload.
  const isAdmin = usePeople(({ profiles }) => profiles.get(chat().user?.id ?? 0)?.role === 'admin');
  const [claim, setClaim] = useState<'open' | 'done' | 'ended'>('open');
  const state = isAdmin ? 'done' : claim;
  const { busy, run } = useRequest();

  async function become(): Promise<void> {
    try {
      await peopleRequests().becomeAdmin(code);
      setClaim('done');
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      setClaim('ended');
    }
  }

  const toRooms = (
    <Button look={state === 'done' ? 'quiet' : 'primary'} onClick={() => navigate('/', 'replace')}>
      {setup.toRooms}
    </Button>
  );
  switch (state) {
    case 'ended':
      return (
        <Ended title={setup.ended} hint={setup.endedHint}>
          {toRooms}
        </Ended>
      );
    case 'open':
      return (
        <DoorPage
          hero={<Hero title={setup.title} hint={setup.hint} />}
          acts={
            <Button look="primary" aria-disabled={busy} onClick={() => void run(become)}>
              {setup.claim}
            </Button>
          }
        />
      );
    case 'done':
      return (
        <DoorPage
          hero={<Hero title={setup.done} hint={setup.doneHint} />}
          acts={
            <>
              <Button look="primary" onClick={() => navigate('/admin', 'replace')}>
                {setup.administer}
              </Button>
              {toRooms}
            </>
          }
        />
      );
  }
}
