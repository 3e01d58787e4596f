import { type FormEvent, useCallback, useState } from 'react';
import { normalizePassword } from '../../../../protocol/names.ts';
import { useText } from '../../i18n/catalogue.ts';
import { explain } from '../../i18n/errors.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { doorRequests } from '../../stores/admin-requests.ts';
import { navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { DoorPage } from '../../ui/DoorPage.tsx';
import { Ended } from '../../ui/Ended.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import styles from './Entrance.module.css';

/** The page of a link that sets a new password, for a person who is signed in or not. */
export function ResetPage({ code }: { readonly code: string }) {
  const { reset } = useScreenTexts();
  const [isDone, setDone] = useState(false);
  const load = useCallback(() => doorRequests().findReset(code), [code]);
  const { loaded } = useLoaded(load);
  if (loaded.status === 'loading') return null;
  const toSignIn = (
    <Button look="primary" onClick={() => navigate('/', 'replace')}>
      {reset.toSignIn}
    </Button>
  );
  if (isDone) return <DoorPage hero={<Hero title={reset.done} hint={reset.doneHint} />} acts={toSignIn} />;
  if (loaded.status === 'failed')
    return (
      <Ended title={reset.ended} hint={reset.endedHint}>
        {toSignIn}
      </Ended>
    );
  return (
    <DoorPage hero={<Hero title={reset.title} hint={reset.hint(loaded.value.username)} />}>
      <ResetForm code={code} username={loaded.value.username} onDone={() => setDone(true)} />
    </DoorPage>
  );
}

interface ResetFormProps {
  readonly code: string;
  readonly username: string;
  readonly onDone: () => void;
}

function ResetForm({ code, username, onDone }: ResetFormProps) {
  const text = useText();
  const { auth } = useFullTexts();
  const { reset } = useScreenTexts();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (normalizePassword(password) === null) return setError(auth.passwordBroken);
    setBusy(true);
    await doorRequests()
      .reset(code, password)
      .then(onDone, (failure: unknown) => setError(explain(text, failure)));
    setBusy(false);
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {/* A password manager stores the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        look="tall"
        label={auth.password}
        name="next"
        autoComplete="new-password"
        value={password}
        onChange={(value) => {
          setPassword(value);
          setError(undefined);
        }}
        rule={auth.passwordRule}
        error={error}
      />
      <Button type="submit" look="primary" aria-disabled={busy}>
        {reset.set}
      </Button>
    </form>
  );
}
