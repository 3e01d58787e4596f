import { type FormEvent, useCallback, useState } from 'react';
import { SERVER_NAME_MAX } from '../../../../protocol/limits.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { dayName } from '../../i18n/time.ts';
import styles from '../../parts/moderation/Moderation.module.css';
import { PictureField } from '../../parts/pictures/PictureField.tsx';
import { adminRequests, doorRequests } from '../../stores/admin-requests.ts';
import { iconPath, showServerIcon, useServerIcon } from '../../stores/server-icon.ts';
import { keepServerName, useServerName } from '../../stores/server-name.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import list from '../../ui/List.module.css';
import { Logo } from '../../ui/Logo.tsx';
import { MadeLink } from '../../ui/MadeLink.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import { SaveRow } from '../../ui/SaveRow.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';

const KINDS = ['open', 'invite', 'closed'] as const;

/** The setting for registration, and the invitations to the server. */
export function RegistrationTab() {
  const { admin } = useScreenTexts();
  const load = useCallback(() => doorRequests().registration(), []);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  return (
    <>
      <ServerIcon />
      <ServerName />
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(registration) => (
          <fieldset className={styles.choices}>
            <legend>{admin.whoRegisters}</legend>
            {KINDS.map((kind) => (
              <label key={kind} className={styles.choice}>
                <input
                  type="radio"
                  name="registration"
                  checked={kind === registration}
                  aria-disabled={busy}
                  onChange={() =>
                    void run(async () => {
                      await adminRequests().setRegistration(kind);
                      set(kind);
                    })
                  }
                />
                <span>{admin.registrations[kind]}</span>
                <small>{admin.registrationRules[kind]}</small>
              </label>
            ))}
          </fieldset>
        )}
      </WhenLoaded>
      <Invitations />
    </>
  );
}

/** The picture that stands for the server: on the page to sign in, in the list of rooms and in the tab. */
function ServerIcon() {
  const icon = useServerIcon();
  return (
    <PictureField
      kind="server"
      hasPicture={icon !== undefined}
      onChosen={async (picture) => showServerIcon((await adminRequests().setServerIcon(picture)).icon)}
      onRemove={async () => showServerIcon((await adminRequests().removeServerIcon()).icon)}
    >
      {icon === undefined ? (
        <Logo size={72} />
      ) : (
        <img className={styles.icon} src={iconPath(icon)} alt="" draggable={false} />
      )}
    </PictureField>
  );
}

/** What the server is called, on the page to sign in, in the list of rooms and in the title of the tab. */
function ServerName() {
  const { admin } = useScreenTexts();
  const name = useServerName() ?? '';
  const [draft, setDraft] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  const { busy, run } = useRequest();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const wanted = (draft ?? name).trim();
    void run(async () => {
      const called = await adminRequests().setServerName(wanted === '' ? null : wanted);
      keepServerName(called);
      setDraft(called);
      setSaved(true);
    });
  }

  return (
    <form className={styles.part} onSubmit={submit}>
      <Field
        label={admin.serverName}
        rule={admin.serverNameRule}
        maxLength={SERVER_NAME_MAX}
        autoComplete="off"
        value={draft ?? name}
        onChange={({ target }) => {
          setDraft(target.value);
          setSaved(false);
        }}
      />
      <SaveRow busy={busy} isSaved={isSaved} />
    </form>
  );
}

function Invitations() {
  const text = useText();
  const { admin } = useScreenTexts();
  const load = useCallback(() => adminRequests().invites(), []);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  const [made, setMade] = useState<string | null>(null);
  return (
    <section className={styles.part}>
      <h2>{admin.invites}</h2>
      <Button
        look="primary"
        aria-disabled={busy}
        onClick={() =>
          void run(async () => {
            setMade((await adminRequests().invite()).url);
            reload();
          })
        }
      >
        {admin.invite}
      </Button>
      {made !== null && <MadeLink key={made} url={made} hint={admin.inviteHint} />}
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(invites) =>
          invites.length === 0 ? (
            <p className={styles.hint}>{admin.noInvites}</p>
          ) : (
            <ul className={`${list.list} ${styles.wide}`} aria-label={admin.invites}>
              {invites.map(({ id, created_by: by, expires_at: ends, max_uses: max, uses }) => (
                <li key={id} className={list.row} data-small="true" data-testid="server-invite">
                  <span className={list.text}>
                    <span className={list.name}>{admin.by(by.username)}</span>
                    <span className={list.note}>
                      {admin.ends(dayName(text, Date.parse(ends), Date.now()))} · {admin.uses(uses, max)}
                    </span>
                  </span>
                  <Button
                    aria-disabled={busy}
                    aria-label={admin.revokeOne(by.username)}
                    onClick={() =>
                      void run(async () => {
                        await adminRequests().revokeInvite(id);
                        set(invites.filter((other) => other.id !== id));
                      })
                    }
                  >
                    {admin.revoke}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </section>
  );
}
