import { type ReactNode, useState } from 'react';
import type { SignOutReason } from '../../../../client/index.ts';
import type { Registration } from '../../../../protocol/administration.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { isKnownDevice } from '../../stores/device.ts';
import { useRoute } from '../../stores/route.ts';
import { iconPath } from '../../stores/server-icon.ts';
import { DoorPage } from '../../ui/DoorPage.tsx';
import { Hero } from '../../ui/Hero.tsx';
import type { AuthMode } from './auth-errors.ts';
import styles from './Entrance.module.css';
import { InvitationHero } from './InvitationHero.tsx';
import { ResetPage } from './ResetPage.tsx';
import { SignForm } from './SignForm.tsx';
import { SignInLinkPage } from './SignInLinkPage.tsx';
import { useDoor } from './use-door.ts';
import { hasEnded, useInvitation } from './use-invitation.ts';
import { useSignForm } from './use-sign-form.ts';

/** The page of somebody who is not inside: sign-in and sign-up, an invitation, a new password. */
export function Entrance({ reason }: { readonly reason: SignOutReason }) {
  const route = useRoute((store) => store.route);
  if (route.page === 'reset') return <ResetPage code={route.code} />;
  if (route.page === 'sign-in') return <SignInLinkPage code={route.code} />;
  if (route.page === 'invite') return <InvitedEntrance code={route.code} reason={reason} />;
  return <SignEntrance reason={reason} />;
}

/** The invitation in the hue of its room. One that has ended keeps nobody from signing in. */
function InvitedEntrance({ code, reason }: { readonly code: string; readonly reason: SignOutReason }) {
  const { invite } = useScreenTexts();
  const server = useDoor();
  const loaded = useInvitation(code);
  if (loaded.status === 'loading') return null;
  if (loaded.status === 'failed')
    return <SignEntrance reason={reason} {...(hasEnded(loaded.error) && { notice: invite.endedNotice })} />;
  const hero = <InvitationHero invitation={loaded.value} serverName={server.name} />;
  return <SignEntrance reason={reason} hero={hero} />;
}

interface SignEntranceProps {
  readonly reason: SignOutReason;
  /** Takes the place of the server's name. */
  readonly hero?: ReactNode;
  readonly notice?: string;
}

function SignEntrance({ reason, hero, notice }: SignEntranceProps) {
  const text = useFullTexts();
  const { setup, door } = useScreenTexts();
  const page = useRoute((store) => store.route.page);
  // A first visitor makes an account, and is not welcomed back.
  const [known] = useState(() => reason !== 'never_signed_in' || isKnownDevice());
  const [mode, setMode] = useState<AuthMode>(known ? 'sign_in' : 'sign_up');
  const server = useDoor();
  const closedTo = whyClosed(server.registration, hero !== undefined);
  const mayRegister = closedTo === null;
  const signingUp = mode === 'sign_up' && mayRegister;
  const form = useSignForm(signingUp);

  /** Keeps what was typed, and goes on at what is missing. */
  function choose(next: AuthMode): void {
    setMode(next);
    form.clearErrors();
    form.focus(form.username === '' ? 'username' : 'password');
  }

  const notices = [
    ...(reason === 'expired' ? [text.auth.expired] : []),
    ...(reason === 'signed_out_elsewhere' ? [text.auth.elsewhere] : []),
    ...(notice === undefined ? [] : [notice]),
    ...(closedTo === null ? [] : [door[closedTo]]),
  ];
  const hint = signingUp ? text.auth.joinHint : known ? text.auth.welcomeHint : text.auth.signInHint;
  const title = signingUp ? text.auth.join(server.name) : text.auth.signInTo(server.name);
  return (
    <DoorPage
      hero={
        hero ??
        (page === 'setup' ? (
          <Hero title={setup.title} hint={setup.signIn} />
        ) : (
          <Hero
            title={title}
            hint={hint}
            picture={server.icon === undefined ? undefined : iconPath(server.icon)}
            isHidden={!server.isKnown}
          />
        ))
      }
    >
      {notices.map((each) => (
        <p key={each} className={styles.notice} role="status">
          {each}
        </p>
      ))}
      <SignForm
        form={form}
        signingUp={signingUp}
        isInvited={hero !== undefined}
        onSignInInstead={() => choose('sign_in')}
      />
      {mayRegister && (
        <p className={styles.switch}>
          {signingUp ? text.auth.alreadyHere : text.auth.newHere}{' '}
          <button type="button" onClick={() => choose(signingUp ? 'sign_in' : 'sign_up')}>
            {signingUp ? text.auth.signIn : text.auth.signUp}
          </button>
        </p>
      )}
    </DoorPage>
  );
}

/** Null: one may register. */
function whyClosed(registration: Registration, isInvited: boolean): 'closed' | 'invite' | null {
  return registration === 'open' || (registration === 'invite' && isInvited) ? null : registration;
}
