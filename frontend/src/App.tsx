import { useEffect } from 'react';
import { AuthPage } from './pages/auth/AuthPage.tsx';
import { Guarded } from './shell/Guarded.tsx';
import { Shell } from './shell/Shell.tsx';
import { rememberDevice } from './stores/device.ts';
import { useSession } from './stores/session.ts';
import { lazyPart } from './ui/lazy-part.tsx';

const UpdateNotice = lazyPart(async () => (await import('./parts/updates/UpdateNotice.tsx')).UpdateNotice);

/** The whole client: signed out or signed in. Each user gets a shell of their own. */
export function App() {
  const session = useSession();
  const signedIn = session.status === 'signed_in';

  useEffect(() => {
    if (signedIn) rememberDevice();
  }, [signedIn]);

  return (
    <>
      {session.status === 'signed_out' ? (
        <AuthPage reason={session.reason} />
      ) : (
        <Guarded of={session}>
          <Shell key={session.user.id} user={session.user} />
        </Guarded>
      )}
      <UpdateNotice />
    </>
  );
}
