import { useCallback, useState } from 'react';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { doorRequests } from '../../stores/admin-requests.ts';
import { chat } from '../../stores/chat.ts';
import { navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { DoorPage } from '../../ui/DoorPage.tsx';
import { Ended } from '../../ui/Ended.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { type AuthErrors, authErrors } from './auth-errors.ts';
import { FormError } from './FormError.tsx';
import { useCountdown } from './use-countdown.ts';
import { useDoor } from './use-door.ts';
import { hasEnded } from './use-invitation.ts';

/** The page of a link that signs in once: as whom, and a button. To open it changes nothing. */
export function SignInLinkPage({ code }: { readonly code: string }) {
  const text = useFullTexts();
  const { signInLink, door } = useScreenTexts();
  const server = useDoor();
  const load = useCallback(() => doorRequests().findSignInLink(code), [code]);
  const { loaded } = useLoaded(load);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const countdown = useCountdown();

  if (loaded.status === 'loading') return null;
  const error = loaded.status === 'failed' ? loaded.error : failure;
  if (hasEnded(error))
    return (
      <Ended title={signInLink.ended} hint={signInLink.endedHint}>
        <Button look="primary" onClick={() => navigate('/', 'replace')}>
          {signInLink.toSignIn}
        </Button>
      </Ended>
    );

  async function signIn(): Promise<void> {
    if (busy || countdown.secondsLeft > 0) return;
    setBusy(true);
    setFailure(null);
    try {
      await chat().signInByLink(code);
      navigate('/', 'replace');
    } catch (refused) {
      countdown.start(authErrors(text, refused, door).retryAfterMs ?? 0);
      setFailure(refused);
      setBusy(false);
    }
  }

  const errors: AuthErrors = error === null ? {} : authErrors(text, error, door).errors;
  const username = loaded.status === 'ready' ? loaded.value.username : null;
  return (
    <DoorPage
      hero={
        <Hero
          title={text.auth.signInTo(server.name)}
          hint={username === null ? undefined : signInLink.hint(username)}
          isHidden={!server.isKnown}
        />
      }
      acts={
        username !== null && (
          <Button look="primary" aria-disabled={busy} onClick={() => void signIn()}>
            {busy ? text.auth.working : signInLink.signInAs(username)}
          </Button>
        )
      }
    >
      <FormError message={errors.form} secondsLeft={countdown.secondsLeft} />
    </DoorPage>
  );
}
