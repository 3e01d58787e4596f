import { useState } from 'react';
import { ApiError } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { useRequest } from '../../ui/use-loaded.ts';

/** What the link in the server's log leads to while the server has no admin: its code makes the user one, once. */
export function SetupPage({ code }: { readonly code: string }) {
  const { setup } = useScreenTexts();
  const [state, setState] = useState<'open' | 'done' | 'ended'>('open');
  const { busy, run } = useRequest();

  async function claim(): Promise<void> {
    try {
      await peopleRequests().becomeAdmin(code);
      setState('done');
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      setState('ended');
    }
  }

  const { title, hint } = {
    open: { title: setup.title, hint: setup.hint },
    done: { title: setup.done, hint: setup.doneHint },
    ended: { title: setup.ended, hint: setup.endedHint },
  }[state];
  return (
    <Empty page drawing={state === 'ended' ? 'closed_door' : 'open_door'} title={title} hint={hint}>
      {state === 'open' ? (
        <Button look="primary" aria-disabled={busy} onClick={() => void run(claim)}>
          {setup.claim}
        </Button>
      ) : (
        <>
          {state === 'done' && (
            <Button look="primary" onClick={() => navigate('/admin', 'replace')}>
              {setup.administer}
            </Button>
          )}
          <Button look={state === 'done' ? 'quiet' : 'primary'} onClick={() => navigate('/', 'replace')}>
            {setup.toRooms}
          </Button>
        </>
      )}
    </Empty>
  );
}
