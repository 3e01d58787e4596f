import { type RefObject, useRef, useState } from 'react';
import { useLanguage } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { EmojiPicker } from '../../parts/emoji/EmojiPicker.tsx';
import { loadEmoji } from '../../parts/emoji/emoji-data.ts';
import { IconButton } from '../../ui/Button.tsx';
import { SmileIcon } from '../../ui/late-icons.tsx';
import { applyEdit } from './edit-by-key.ts';

/** Puts an emoji where the caret is. */
export function EmojiButton({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }) {
  const { emoji: texts } = useScreenTexts();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  function insert(emoji: string): void {
    const element = field.current;
    if (element === null) return;
    const { selectionStart: start, selectionEnd: end } = element;
    const caret = start + emoji.length;
    applyEdit(element, { start, end, insert: emoji, select: { start: caret, end: caret } });
  }

  return (
    <>
      <IconButton
        ref={button}
        label={texts.title}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        // The focus stays where it is: a phone's formatting bar would move the button away from the finger.
        onPointerDown={(event) => event.preventDefault()}
        onPointerEnter={() => loadEmoji(useLanguage.getState().language).catch(() => undefined)}
        onClick={() => setOpen(true)}
      >
        <SmileIcon />
      </IconButton>
      {isOpen && (
        <EmojiPicker
          hasOwn
          // Above the text, so that it covers none of it.
          anchor={button.current?.closest('form') ?? null}
          edge="left"
          onPick={(emoji) => {
            field.current?.focus();
            insert(emoji);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
