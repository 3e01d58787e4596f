import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, filePath, type ServerEmoji } from '../../../../client/index.ts';
import { ERRORS } from '../../../../protocol/errors.ts';
import { isEmojiName } from '../../../../protocol/names.ts';
import type { Me } from '../../../../protocol/rest/people.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { PictureField } from '../../parts/pictures/PictureField.tsx';
import { pictureError } from '../../parts/pictures/picture-error.ts';
import { usePeople } from '../../stores/people.ts';
import {
  addServerEmoji,
  deleteServerEmoji,
  followServerEmoji,
  useServerEmoji,
} from '../../stores/server-emoji.ts';
import { useShownPerson } from '../../stores/shown-people.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Field } from '../../ui/Field.tsx';
import list from '../../ui/List.module.css';
import { SmileIcon } from '../../ui/late-icons.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './Settings.module.css';

/** The emoji of the server: all of them, and a new one. */
export function EmojiSection({ me }: { readonly me: Me }) {
  const { ownEmoji: texts } = useScreenTexts();
  const byName = useServerEmoji((store) => store.byName);
  useEffect(followServerEmoji, []);
  return (
    <section className={styles.section}>
      <p className={styles.hint}>{texts.hint}</p>
      {me.role !== 'guest' && <NewEmoji />}
      {byName.size === 0 ? (
        <p className={styles.hint}>{texts.none}</p>
      ) : (
        <ul className={list.list} aria-label={texts.title}>
          {Array.from(byName.values(), (emoji) => (
            <EmojiRow key={emoji.name} emoji={emoji} me={me} />
          ))}
        </ul>
      )}
    </section>
  );
}

function EmojiRow({
  emoji: { name, key, created_by: by },
  me,
}: {
  readonly emoji: ServerEmoji;
  readonly me: Me;
}) {
  const { ownEmoji: texts } = useScreenTexts();
  const profile = usePeople(({ profiles }) => profiles.get(by));
  const author = profile?.display_name || profile?.username;
  // So that the name comes.
  useShownPerson(by);
  const { busy, run } = useRequest();
  const [isAsked, setAsked] = useState(false);
  const code = `:${name}:`;
  return (
    <li className={list.row} data-small="true" data-testid="own-emoji">
      <img className={styles.emoji} src={filePath(key, name)} alt="" loading="lazy" />
      <span className={list.text}>
        <span className={list.name}>{code}</span>
        {author !== undefined && <span className={list.note}>{texts.by(author)}</span>}
      </span>
      {(by === me.id || me.role === 'admin') && (
        <Button aria-disabled={busy} aria-label={texts.deleteOne(code)} onClick={() => setAsked(true)}>
          {texts.delete}
        </Button>
      )}
      {isAsked && (
        <ConfirmDialog
          title={texts.deleteThis(code)}
          hint={texts.deleteHint(code)}
          stay={texts.keep}
          confirm={texts.delete}
          look="danger"
          onClose={() => setAsked(false)}
          onConfirm={() => void run(() => deleteServerEmoji(name))}
        />
      )}
    </li>
  );
}

/** A picture, and then its name. */
function NewEmoji() {
  const text = useText();
  const screen = useScreenTexts();
  const { ownEmoji: texts } = screen;
  const [picture, setPicture] = useState<Blob | null>(null);
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const preview = usePreview(picture);

  async function add(): Promise<void> {
    if (busy) return;
    if (picture === null) return setError(texts.noPicture);
    if (!isEmojiName(name)) return setError(texts.badName);
    setBusy(true);
    try {
      await addServerEmoji(name, picture);
      setNote(texts.added(`:${name}:`));
      setPicture(null);
      setName('');
    } catch (cause) {
      const isTaken = cause instanceof ApiError && cause.message === ERRORS.emoji_name_taken.message;
      setError(isTaken ? texts.taken : pictureError(text, screen, cause));
    }
    setBusy(false);
  }

  return (
    <div className={`${styles.form} ${styles.new}`}>
      {/* Beside the form: the dialog that cuts the picture has a form of its own. */}
      <PictureField
        kind="emoji"
        hasPicture={picture !== null}
        chosen={texts.chosen}
        onChosen={async (chosen) => setPicture(chosen)}
        onRemove={async () => setPicture(null)}
      >
        <span className={styles.newEmoji}>
          {preview === null ? <SmileIcon size={28} /> : <img src={preview} alt="" />}
        </span>
      </PictureField>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field
          label={texts.name}
          rule={texts.nameRule}
          error={error}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={34}
          value={name}
          onChange={({ target }) => {
            setName(target.value.replaceAll(':', '').toLowerCase());
            setError(undefined);
            setNote('');
          }}
        />
        <div className={styles.add}>
          <Button type="submit" look="primary" aria-disabled={busy}>
            {texts.add}
          </Button>
          <p role="status" className={styles.hint}>
            {note}
          </p>
        </div>
      </form>
    </div>
  );
}

function usePreview(picture: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (picture === null) return setUrl(null);
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return url;
}
