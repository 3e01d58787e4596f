import { type ComponentType, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { useRooms } from '../stores/rooms.ts';
import { showToast } from '../stores/toasts.ts';

type LazyDialog = ComponentType<{ readonly onClose: () => void }>;

/** Code that the first paint does not need. */
const LAZY = {
  new_dm: async (): Promise<LazyDialog> => (await import('./NewDmDialog.tsx')).NewDmDialog,
  profile: async (): Promise<LazyDialog> => (await import('./ProfileDialog.tsx')).ProfileDialog,
  create_room: async (): Promise<LazyDialog> => (await import('./CreateRoomDialog.tsx')).CreateRoomDialog,
  switcher: async (): Promise<LazyDialog> => (await import('./QuickSwitcher.tsx')).QuickSwitcher,
  help: async (): Promise<LazyDialog> => (await import('./HelpDialog.tsx')).HelpDialog,
  sign_out: async (): Promise<LazyDialog> => (await import('./SignOutDialog.tsx')).SignOutDialog,
};

/** Rooms change in bursts, and the paint that shows them comes first. */
const PREPARE_AFTER_MS = 500;

/** The dialog that is open, if any. */
export function Dialogs() {
  const open = useDialogs((store) => store.open);
  const close = useCallback(() => useDialogs.getState().close(open), [open]);

  usePreparedDialogs();

  return open.kind === 'none' ? null : <Loaded key={open.kind} kind={open.kind} onClose={close} />;
}

/**
 * Fetches the switcher when there is a keyboard or a mouse, and prepares the rooms for its first key, however many
 * there are. On a touch screen it is rarely opened.
 */
function usePreparedDialogs(): void {
  const rooms = useRooms((store) => store.rooms);
  const isLikely = useShortcutsLikely();
  useEffect(() => {
    // Small, and needed when there may be no server to fetch it from.
    const timer = setTimeout(() => void Promise.allSettled([LAZY.sign_out(), LAZY.create_room()]), 200);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isLikely) return;
    void Promise.allSettled([LAZY.switcher(), LAZY.help()]);
  }, [isLikely]);
  useEffect(() => {
    if (!isLikely) return;
    const timer = setTimeout(() => {
      // When it fails, the switcher prepares them as it opens.
      import('./switcher-items.ts').then(({ prepareSwitcher }) => prepareSwitcher(rooms), ignore);
    }, PREPARE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLikely, rooms]);
}

/** True from the first Ctrl or ⌘, which comes before the K, or the first move of a mouse. */
function useShortcutsLikely(): boolean {
  const [isLikely, setLikely] = useState(false);
  useEffect(() => {
    if (isLikely) return;
    const onKeyDown = ({ ctrlKey, metaKey }: KeyboardEvent) => {
      if (ctrlKey || metaKey) setLikely(true);
    };
    const onPointerMove = ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') setLikely(true);
    };
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('pointermove', onPointerMove, { passive: true });
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('pointermove', onPointerMove);
    };
  }, [isLikely]);
  return isLikely;
}

function ignore(): void {}

interface LoadedProps {
  readonly kind: keyof typeof LAZY;
  readonly onClose: () => void;
}

function Loaded({ kind, onClose }: LoadedProps) {
  const text = useText();
  const [Part, setPart] = useState<LazyDialog | null>(null);

  useEffect(() => {
    let gone = false;
    LAZY[kind]().then(
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

/** Until a dialog has loaded, keys meant for it are dropped: they must not end up in a message. */
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
    };
    window.addEventListener('keydown', onKeyDown, options);
    // A user who clicks elsewhere no longer waits for it.
    window.addEventListener('pointerdown', giveUp, options);
    return () => controller.abort();
  }, [isComing, giveUp]);
}
