import { useCallback, useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { isTouch, NARROW, useMedia } from '../../stores/use-media.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { EmojiFinder } from './EmojiFinder.tsx';
import styles from './EmojiPicker.module.css';
import { loadEmoji } from './emoji-data.ts';
import { type Edge, placeBeside } from './place-beside.ts';

interface EmojiPickerProps {
  /** Receives the emoji, after the picker has closed and given the focus back. */
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
  /** With those of the server: for texts and reactions. */
  readonly hasOwn?: boolean;
  /** What was pressed to open it; it opens beside that. On a phone it is a sheet at the lower edge. */
  readonly anchor?: HTMLElement | null;
  /** Which edge of the anchor it is in line with. */
  readonly edge?: Edge;
}

/**
 * Finds any emoji: by its name, among the latest, or by group. The focus stays in the search field; the arrow keys move
 * in the grid (the combobox pattern with a grid, ARIA Authoring Practices Guide).
 */
export function EmojiPicker({ onPick, onClose, hasOwn = false, anchor, edge = 'right' }: EmojiPickerProps) {
  const { emoji: texts } = useScreenTexts();
  const language = useLanguage((store) => store.language);
  const { loaded, reload } = useLoaded(useCallback(() => loadEmoji(language), [language]));
  const isNarrow = useMedia(NARROW);
  const dialog = useRef<HTMLDialogElement>(null);
  const [place] = useState(() => (anchor ? placeBeside(anchor.getBoundingClientRect(), edge) : undefined));

  useEffect(() => {
    // The keyboard of a touch screen would cover the picker.
    if (isTouch()) dialog.current?.focus();
  }, []);

  return (
    <Dialog
      ref={dialog}
      className={styles.picker}
      isSheet={isNarrow}
      style={isNarrow ? undefined : place}
      data-placed={place !== undefined && !isNarrow}
      aria-label={texts.title}
      tabIndex={-1}
      data-testid="emoji-picker"
      onClose={onClose}
    >
      <EmojiFinder
        set={loaded.status === 'ready' ? loaded.value : null}
        hasOwn={hasOwn}
        columns={isNarrow ? 7 : 9}
        onPick={onPick}
        onClose={onClose}
      >
        <WhenLoaded loaded={loaded} onRetry={reload}>
          {() => null}
        </WhenLoaded>
      </EmojiFinder>
    </Dialog>
  );
}
