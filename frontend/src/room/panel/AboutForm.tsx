import type { RoomInfo } from '../../../../client/index.ts';
import { ROOM_DESCRIPTION_MAX, ROOM_TOPIC_MAX } from '../../../../protocol/limits.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { DoorPicker } from '../../parts/rooms/DoorPicker.tsx';
import { Field } from '../../ui/Field.tsx';
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
  const { name, topic, emoji, hue, description } = draft;

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <DoorPicker name={name} hue={hue} emoji={emoji} onChange={change} />
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
