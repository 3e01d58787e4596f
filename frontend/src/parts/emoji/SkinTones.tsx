import { useId } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import styles from './EmojiPicker.module.css';
import { TONES, type Tone, withTone } from './skin-tone.ts';

interface SkinTonesProps {
  readonly tone: Tone;
  readonly onChoose: (tone: Tone) => void;
}

/** The skin tone of hands and people: radio buttons, chosen with the arrow keys. */
export function SkinTones({ tone, onChoose }: SkinTonesProps) {
  const { emoji: texts } = useScreenTexts();
  const name = useId();
  return (
    <fieldset className={styles.tones}>
      <legend className="visually-hidden">{texts.tone}</legend>
      {TONES.map((each) => (
        <label key={each} className={styles.tone} title={texts.tones[each]}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            aria-label={texts.tones[each]}
            checked={each === tone}
            onChange={() => onChoose(each)}
          />
          <span aria-hidden="true">{withTone('✋', each)}</span>
        </label>
      ))}
    </fieldset>
  );
}
