import { type FormEvent, useCallback, useState } from 'react';
import { normalizePassword } from '../../../../protocol/names.ts';
import { useText } from '../../i18n/catalogue.ts';
import { explain } from '../../i18n/errors.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { doorRequests } from '../../stores/admin-requests.ts';
import { navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import card from './AuthCard.module.css';

/** The page of a link that sets a new password, for a person who is signed in or not. */
export function ResetPage({ code }: { readonly code: string }) {
  const { reset } = useScreenTexts();
  const [isDone, setDone] = useState(false);
  const load = useCallback(() => doorRequests().findReset(code), [code]);
  const { loaded } = useLoaded(load);
  if (loaded.status === 'loading') return null;
  if (isDone || loaded.status === 'failed') {
    const [title, hint] = isDone ? [reset.done, reset.doneHint] : [reset.ended, reset.endedHint];
    return (
      <Empty page drawing={isDone ? 'open_door' : 'closed_door'} title={title} hint={hint}>
        <Button look="primary" onClick={() => navigate('/', 'replace')}>
          {reset.toSignIn}
        </Button>
      </Empty>
    );
  }
  return (
    <main className={card.page}>
      <div className={card.card}>
        <div className={card.heading}>
          <h1>{reset.title}</h1>
          <p>{reset.hint(loaded.value.username)}</p>
        </div>
        <ResetForm code={code} username={loaded.value.username} onDone={() => setDone(true)} />
      </div>
    </main>
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
    <form className={card.form} onSubmit={(event) => void submit(event)} noValidate>
      {/* A password manager stores the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
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
