import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { showToast } from '../stores/toasts.ts';
import { LAZY_DIALOGS, type LazyDialog } from './lazy-dialogs.ts';
import { prepareDialogs } from './prepare-dialogs.ts';

/** The first paint comes first. */
const PREPARE_AFTER_MS = 200;

/** The dialog that is open, if any. */
export function Dialogs() {
  const open = useDialogs((store) => store.open);
  const close = useCallback(() => useDialogs.getState().close(open), [open]);

  useEffect(() => {
    let end: (() => void) | undefined;
    const timer = setTimeout(() => {
      end = prepareDialogs();
    }, PREPARE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      end?.();
    };
  }, []);

  return open.kind === 'none' ? null : <Loaded key={open.kind} kind={open.kind} onClose={close} />;
}

interface LoadedProps {
  readonly kind: keyof typeof LAZY_DIALOGS;
  readonly onClose: () => void;
}

function Loaded({ kind, onClose }: LoadedProps) {
  const text = useText();
  const [Part, setPart] = useState<LazyDialog | null>(null);

  useEffect(() => {
    let gone = false;
    LAZY_DIALOGS[kind]().then(
      (loaded) => gone || setPart(() => loaded),
      () => {
        if (gone) return;
        showToast(text.errors.notLoaded);
        useDialogs.getState().close(useDialogs.getState().open);
      },
    );
    return () => {
      gone = true;
    };
  }, [kind, text]);

  useTypingHeldBack(Part === null, onClose);

  return Part === null ? null : <Part onClose={onClose} />;
}

/**
 * Until a dialog has loaded, keys meant for it must not end up in a message. The quick switcher begins with what was
 * typed; others drop it.
 */
function useTypingHeldBack(isComing: boolean, giveUp: () => void): void {
  // A layout effect, like the one in which the dialog takes the focus: there is no gap between the two.
  useLayoutEffect(() => {
    if (!isComing) return;
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') giveUp();
      else typeAhead(event.key);
    };
    window.addEventListener('keydown', onKeyDown, options);
    // A user who clicks elsewhere no longer waits for it.
    window.addEventListener('pointerdown', giveUp, options);
    return () => controller.abort();
  }, [isComing, giveUp]);
}

function typeAhead(key: string): void {
  const { open, show } = useDialogs.getState();
  if (open.kind !== 'switcher') return;
  const { query = '' } = open;
  if ([...key].length === 1) show({ ...open, query: query + key });
  else if (key === 'Backspace') show({ ...open, query: [...query].slice(0, -1).join('') });
}
