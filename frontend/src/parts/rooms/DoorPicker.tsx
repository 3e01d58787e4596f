import { useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { ROOM_HUE_NAMES, ROOM_HUES, type RoomHue } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { BigDoor } from '../../ui/BigDoor.tsx';
import { Button } from '../../ui/Button.tsx';
import { Door } from '../../ui/Door.tsx';
import { tileLetter } from '../../ui/initials.ts';
import { SmileIcon } from '../../ui/late-icons.tsx';
import { EmojiPicker } from '../emoji/EmojiPicker.tsx';
import styles from './DoorPicker.module.css';

/** What is chosen about a door. */
export interface DoorChoice {
  readonly hue: RoomHue;
  readonly emoji: string | null;
}

interface DoorPickerProps extends DoorChoice {
  /** The name of the room: its first letter stands on the door that has no emoji. */
  readonly name: string;
  readonly onChange: (change: Partial<DoorChoice>) => void;
}

/** A room's door as it will be, and beside it what it is made of: one of eight hues, and an emoji. */
export function DoorPicker({ name, hue, emoji, onChange }: DoorPickerProps) {
  const { roomDoor: texts } = useScreenTexts();
  const group = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.picker} data-testid="door-picker">
      <p className={styles.label}>{texts.label}</p>
      <BigDoor hue={ROOM_HUES[hue]} emoji={emoji} letter={tileLetter(name)} width={96} />
      <div className={styles.choices}>
        <fieldset className={styles.hues}>
          <legend className="visually-hidden">{texts.hue}</legend>
          {ROOM_HUE_NAMES.map((each) => (
            <label key={each} className={styles.hue} title={texts.hues[each]}>
              <input
                type="radio"
                name={group}
                value={each}
                className={styles.radio}
                checked={each === hue}
                onChange={() => onChange({ hue: each })}
              />
              <Door roomId={0} name={name} emoji={emoji} hue={each} size="item" />
              <span className="visually-hidden">{texts.hues[each]}</span>
            </label>
          ))}
        </fieldset>
        <div className={styles.emoji}>
          <Button ref={opener} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(true)}>
            <SmileIcon size={18} />
            {texts.emoji}
          </Button>
          {emoji !== null && (
            <Button
              look="quiet"
              onClick={() => {
                // This button goes, and its focus must not.
                opener.current?.focus();
                onChange({ emoji: null });
              }}
            >
              {texts.noEmoji}
            </Button>
          )}
        </div>
      </div>
      {isOpen &&
        // Outside of the form around it, which Enter in the search would send.
        createPortal(
          <EmojiPicker
            anchor={opener.current}
            onPick={(picked) => onChange({ emoji: picked })}
            onClose={() => setOpen(false)}
          />,
          document.body,
        )}
    </div>
  );
}
