import type { RoomInfo } from '../../../../client/index.ts';
import { EMOJI_MAX, ROOM_DESCRIPTION_MAX, ROOM_TOPIC_MAX } from '../../../../protocol/limits.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Door } from '../../ui/Door.tsx';
import { Field } from '../../ui/Field.tsx';
import { isOneEmoji } from '../../ui/is-one-emoji.ts';
import { AlertIcon } from '../../ui/late-icons.tsx';
import { SaveRow } from '../../ui/SaveRow.tsx';
import styles from './RoomPanel.module.css';
import { useAboutForm } from './use-about-form.ts';

interface AboutFormProps {
  readonly room: RoomInfo;
  readonly onChanged: (room: RoomInfo) => void;
}

/** Changes what the room says of itself. */
export function AboutForm({ room, onChanged }: AboutFormProps) {
  const { room: texts } = useScreenTexts();
  const { draft, errors, isSaved, busy, change, submit } = useAboutForm(room, onChanged);
  const { name, topic, emoji, description } = draft;

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.identity}>
        <Door
          size="large"
          roomId={room.id}
          name={name}
          hue={room.hue}
          emoji={isOneEmoji(emoji.trim()) ? emoji.trim() : null}
        />
        <p>{name}</p>
      </div>
      <Field
        label={texts.name}
        autoComplete="off"
        value={name}
        onChange={(event) => change({ name: event.target.value })}
        error={errors.name}
      />
      <Field
        label={texts.topic}
        autoComplete="off"
        maxLength={ROOM_TOPIC_MAX}
        value={topic}
        onChange={(event) => change({ topic: event.target.value })}
        rule={texts.topicRule}
        error={errors.topic}
      />
      <Field
        label={texts.emoji}
        autoComplete="off"
        maxLength={EMOJI_MAX}
        value={emoji}
        onChange={(event) => change({ emoji: event.target.value })}
        rule={texts.emojiRule}
        error={errors.emoji}
      />
      <label className={styles.label}>
        {texts.description}
        <textarea
          maxLength={ROOM_DESCRIPTION_MAX}
          value={description}
          onChange={(event) => change({ description: event.target.value })}
          aria-invalid={errors.description !== undefined}
          aria-describedby={errors.description === undefined ? undefined : 'about-description-error'}
        />
      </label>
      {errors.description !== undefined && (
        <p id="about-description-error" className={styles.error}>
          <AlertIcon size={16} />
          {errors.description}
        </p>
      )}
      <SaveRow busy={busy} isSaved={isSaved} />
    </form>
  );
}
