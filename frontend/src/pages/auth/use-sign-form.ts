import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { normalizePassword, normalizeUsername } from '../../../../protocol/names.ts';
import { type FullTexts, useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { useRoute } from '../../stores/route.ts';
import { noteSignUp } from '../../stores/session.ts';
import { type AuthErrors, authErrors, checkForm } from './auth-errors.ts';
import { signUpInvited } from './sign-up-invited.ts';
import { useCountdown } from './use-countdown.ts';

type FieldName = 'username' | 'password';

export interface SignFormState {
  readonly element: RefObject<HTMLFormElement | null>;
  readonly username: string;
  readonly password: string;
  readonly errors: AuthErrors;
  readonly busy: boolean;
  /** Until the next try, after too many. */
  readonly secondsLeft: number;
  change(field: FieldName, value: string): void;
  /** A rule is shown as broken when the field is left, not while the user types. */
  leave(field: FieldName): void;
  submit(event: FormEvent): Promise<void>;
  focus(field: FieldName): void;
  clearErrors(): void;
}

/** What was typed to sign in or up, what is wrong with it, and its way to the server. */
export function useSignForm(signingUp: boolean): SignFormState {
  const text = useFullTexts();
  const { door } = useScreenTexts();
  const route = useRoute((store) => store.route);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<AuthErrors>({});
  const [busy, setBusy] = useState(false);
  const countdown = useCountdown();
  const element = useRef<HTMLFormElement>(null);

  function focus(field: FieldName): void {
    element.current?.querySelector<HTMLInputElement>(`input[name=${field}]`)?.focus();
  }

  function show(found: AuthErrors): void {
    setErrors(found);
    if (found.username !== undefined) focus('username');
    else if (found.password !== undefined) focus('password');
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
      else if (signingUp) {
        await chat().signUp(username, password);
        noteSignUp();
      } else await chat().signIn(username, password);
    } catch (error) {
      const failure = authErrors(text, error, door);
      if (failure.retryAfterMs !== undefined) countdown.start(failure.retryAfterMs);
      show(failure.errors);
    } finally {
      setBusy(false);
    }
  }

  function leave(field: FieldName): void {
    if (!signingUp) return;
    const error = field === 'username' ? usernameError(text, username) : passwordError(text, password);
    if (error !== null) setErrors({ ...errors, [field]: error });
  }

  function change(field: FieldName, value: string): void {
    if (field === 'username') setUsername(value);
    else setPassword(value);
    const { [field]: _gone, form: _form, isTaken: _isTaken, ...others } = errors;
    setErrors(others);
  }

  return {
    element,
    username,
    password,
    errors,
    busy,
    secondsLeft: countdown.secondsLeft,
    change,
    leave,
    submit,
    focus,
    clearErrors: () => setErrors({}),
  };
}

function usernameError({ auth }: FullTexts, typed: string): string | null {
  return typed !== '' && normalizeUsername(typed) === null ? auth.usernameBroken : null;
}

function passwordError({ auth }: FullTexts, typed: string): string | null {
  return typed !== '' && normalizePassword(typed) === null ? auth.passwordBroken : null;
}
