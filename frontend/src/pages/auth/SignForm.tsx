import { useFullTexts } from '../../i18n/screens.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import styles from './Entrance.module.css';
import { FormError } from './FormError.tsx';
import type { SignFormState } from './use-sign-form.ts';

interface SignFormProps {
  readonly form: SignFormState;
  readonly signingUp: boolean;
  /** Through the door of an invitation. */
  readonly isInvited: boolean;
  /** The username is taken: the account may be the user's own. */
  readonly onSignInInstead: () => void;
}

/** The fields for a username and a password. */
export function SignForm({ form, signingUp, isInvited, onSignInInstead }: SignFormProps) {
  const text = useFullTexts();
  const { element, username, password, errors, busy, secondsLeft, change, leave, submit } = form;
  const action = !signingUp ? text.auth.signIn : isInvited ? text.auth.comeIn : text.auth.signUp;
  return (
    <form
      ref={element}
      className={styles.form}
      aria-label={signingUp ? text.auth.signUpForm : text.auth.signInForm}
      onSubmit={submit}
      noValidate
    >
      <Field
        look="tall"
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
            <button type="button" className={styles.instead} onClick={onSignInInstead}>
              {text.auth.signInInstead}
            </button>
          )
        }
      />
      <PasswordField
        look="tall"
        label={text.auth.password}
        name="password"
        autoComplete={signingUp ? 'new-password' : 'current-password'}
        value={password}
        onChange={(value) => change('password', value)}
        onLeave={() => leave('password')}
        rule={signingUp ? text.auth.passwordRule : undefined}
        error={errors.password}
      />
      <FormError message={errors.form} secondsLeft={secondsLeft} />
      <Button type="submit" look="primary" aria-disabled={busy || secondsLeft > 0}>
        {busy ? text.auth.working : action}
      </Button>
    </form>
  );
}
