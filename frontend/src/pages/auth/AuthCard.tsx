import { useCallback, useState } from 'react';
import type { SignOutReason } from '../../../../client/index.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { doorRequests } from '../../stores/admin-requests.ts';
import { isKnownDevice } from '../../stores/device.ts';
import { useRoute } from '../../stores/route.ts';
import { Logo } from '../../ui/Logo.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import styles from './AuthCard.module.css';
import type { AuthMode } from './auth-errors.ts';
import { ModeTabs } from './ModeTabs.tsx';
import { ResetPage } from './ResetPage.tsx';
import { SignForm } from './SignForm.tsx';
import { useSignForm } from './use-sign-form.ts';

/** Sign-in and sign-up, in one card. Both lead straight into the client. */
export function AuthCard({ reason }: { readonly reason: SignOutReason }) {
  const route = useRoute((store) => store.route);
  return route.page === 'reset' ? <ResetPage code={route.code} /> : <SignCard reason={reason} />;
}

function SignCard({ reason }: { readonly reason: SignOutReason }) {
  const text = useFullTexts();
  const { invite, setup, door } = useScreenTexts();
  const route = useRoute((store) => store.route);
  // A first visitor makes an account, and is not welcomed back.
  const [known] = useState(() => reason !== 'never_signed_in' || isKnownDevice());
  const [mode, setMode] = useState<AuthMode>(known ? 'sign_in' : 'sign_up');
  const load = useCallback(() => doorRequests().registration(), []);
  const { loaded } = useLoaded(load);
  // Until the server has said it, everybody may.
  const registration = loaded.status === 'ready' ? loaded.value : 'open';
  const mayRegister = registration === 'open' || (registration === 'invite' && route.page === 'invite');
  const signingUp = mode === 'sign_up' && mayRegister;
  const form = useSignForm(signingUp);

  function choose(next: AuthMode): void {
    setMode(next);
    form.clearErrors();
  }

  /** Keeps what was typed: the user has most likely chosen the same password again. */
  function signInInstead(): void {
    choose('sign_in');
    form.focus('password');
  }

  const notices = [
    ...(reason === 'expired' ? [text.auth.expired] : []),
    ...(reason === 'signed_out_elsewhere' ? [text.auth.elsewhere] : []),
    ...(route.page === 'invite' ? [invite.signIn] : []),
    ...(route.page === 'setup' ? [setup.signIn] : []),
    ...(mayRegister ? [] : [door[registration]]),
  ];
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Logo size={32} />
          <span>{text.appName}</span>
        </div>
        <div className={styles.heading}>
          <h1>{signingUp ? text.auth.join : known ? text.auth.welcome : text.auth.signIn}</h1>
          <p>{signingUp ? text.auth.joinHint : known ? text.auth.welcomeHint : text.auth.signInHint}</p>
        </div>
        {notices.map((notice) => (
          <p key={notice} className={styles.notice} role="status">
            {notice}
          </p>
        ))}
        {mayRegister && <ModeTabs mode={mode} onChoose={choose} panelId="auth-panel" />}
        <div
          id="auth-panel"
          role="tabpanel"
          aria-label={signingUp ? text.auth.signUpTab : text.auth.signInTab}
        >
          <SignForm form={form} signingUp={signingUp} onSignInInstead={signInInstead} />
        </div>
      </div>
    </main>
  );
}
