import { type FormEvent, useCallback, useRef, useState } from 'react';
import type { SignOutReason } from '../../../../client/index.ts';
import { normalizePassword, normalizeUsername } from '../../../../protocol/names.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { doorRequests } from '../../stores/admin-requests.ts';
import { chat } from '../../stores/chat.ts';
import { isKnownDevice } from '../../stores/device.ts';
import { useRoute } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { AlertIcon } from '../../ui/late-icons.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import styles from './AuthCard.module.css';
import { type AuthErrors, type AuthMode, authErrors, checkForm } from './auth-errors.ts';
import { ModeTabs } from './ModeTabs.tsx';
import { ResetPage } from './ResetPage.tsx';
import { signUpInvited } from './sign-up-invited.ts';
import { TooManyTries } from './TooManyTries.tsx';
import { useCountdown } from './use-countdown.ts';

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
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<AuthErrors>({});
  const [busy, setBusy] = useState(false);
  const countdown = useCountdown();
  const form = useRef<HTMLFormElement>(null);
  const load = useCallback(() => doorRequests().registration(), []);
  const { loaded } = useLoaded(load);
  // Until the server has said it, everybody may.
  const registration = loaded.status === 'ready' ? loaded.value : 'open';
  const mayRegister = registration === 'open' || (registration === 'invite' && route.page === 'invite');
  const signingUp = mode === 'sign_up' && mayRegister;

  function choose(next: AuthMode): void {
    setMode(next);
    setErrors({});
  }

  /** Keeps what was typed: the user has most likely chosen the same password again. */
  function signInInstead(): void {
    choose('sign_in');
    form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus();
  }

  function show(found: AuthErrors): void {
    setErrors(found);
    const field =
      found.username !== undefined ? 'username' : found.password !== undefined ? 'password' : null;
    if (field !== null) form.current?.querySelector<HTMLInputElement>(`input[name=${field}]`)?.focus();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || countdown.secondsLeft > 0) return;
    const broken = checkForm(text, signingUp ? 'sign_up' : 'sign_in', username, password);
    if (broken !== null) {
      show(broken);
      return;
    }
    setErrors({});
    setBusy(true);
    try {
      if (signingUp && route.page === 'invite') await signUpInvited(username, password, route.code);
      else await (signingUp ? chat().signUp(username, password) : chat().signIn(username, password));
    } catch (error) {
      const failure = authErrors(text, error, door);
      if (failure.retryAfterMs !== undefined) countdown.start(failure.retryAfterMs);
      show(failure.errors);
    } finally {
      setBusy(false);
    }
  }

  /** A rule is shown as broken when the field is left, not while the user types. */
  function leave(field: 'username' | 'password'): void {
    if (!signingUp) return;
    const value = field === 'username' ? username : password;
    const valid = field === 'username' ? normalizeUsername(value) : normalizePassword(value);
    if (value !== '' && valid === null) {
      setErrors({
        ...errors,
        [field]: field === 'username' ? text.auth.usernameBroken : text.auth.passwordBroken,
      });
    }
  }

  function change(field: 'username' | 'password', value: string): void {
    if (field === 'username') setUsername(value);
    else setPassword(value);
    const { [field]: _gone, form: _form, isTaken: _isTaken, ...others } = errors;
    setErrors(others);
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
          <form ref={form} className={styles.form} onSubmit={submit} noValidate>
            <Field
              label={text.auth.username}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              autoFocus
              value={username}
              onChange={(event) => change('username', event.target.value)}
              onBlur={() => leave('username')}
              rule={signingUp ? text.auth.usernameRule : undefined}
              error={errors.username}
              remedy={
                errors.isTaken && (
                  <button type="button" className={styles.instead} onClick={signInInstead}>
                    {text.auth.signInInstead}
                  </button>
                )
              }
            />
            <PasswordField
              label={text.auth.password}
              name="password"
              autoComplete={signingUp ? 'new-password' : 'current-password'}
              value={password}
              onChange={(value) => change('password', value)}
              onLeave={() => leave('password')}
              rule={signingUp ? text.auth.passwordRule : undefined}
              error={errors.password}
            />
            {countdown.secondsLeft > 0 ? (
              <TooManyTries secondsLeft={countdown.secondsLeft} />
            ) : (
              errors.form !== undefined && (
                <p className={styles.error} role="alert">
                  <AlertIcon size={18} />
                  {errors.form}
                </p>
              )
            )}
            <Button type="submit" look="primary" aria-disabled={busy || countdown.secondsLeft > 0}>
              {busy ? text.auth.working : signingUp ? text.auth.signUp : text.auth.signIn}
            </Button>
          </form>
        </div>
      </div>
    </main>
  );
}
