import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useScreenTexts } from '../../i18n/screens.ts';
import { EmojiPicker } from '../../parts/emoji/EmojiPicker.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { SmileIcon } from '../../ui/late-icons.tsx';
import styles from './StatusDialog.module.css';

interface StatusEmojiProps {
  /** Empty: none. */
  readonly emoji: string;
  readonly onChange: (emoji: string) => void;
}

/** The emoji of the status: a button that opens the picker, and one that takes it away. */
export function StatusEmoji({ emoji, onChange }: StatusEmojiProps) {
  const { status, roomDoor } = useScreenTexts();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.emoji}>
      <p aria-hidden="true">{status.emoji}</p>
      <span>
        <Button
          ref={opener}
          aria-label={emoji === '' ? status.emoji : `${status.emoji} ${emoji}`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        >
          {emoji === '' ? <SmileIcon size={18} /> : emoji}
        </Button>
        {emoji !== '' && (
          <IconButton
            label={roomDoor.noEmoji}
            onClick={() => {
              // This button goes, and its focus must not.
              opener.current?.focus();
              onChange('');
            }}
          >
            <CloseIcon size={16} />
          </IconButton>
        )}
      </span>
      {isOpen &&
        // Outside of the form around it, which Enter in the search would send.
        createPortal(
          <EmojiPicker anchor={opener.current} onPick={onChange} onClose={() => setOpen(false)} />,
          document.body,
        )}
    </div>
  );
}
