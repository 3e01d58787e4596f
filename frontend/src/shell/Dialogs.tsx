import { type ComponentType, useEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { useRooms } from '../stores/rooms.ts';
import { showToast } from '../stores/toasts.ts';
import { CreateRoomDialog } from './CreateRoomDialog.tsx';

type LazyDialog = ComponentType<{ readonly onClose: () => void }>;

/** Code that is not needed for the first picture. */
const LAZY = {
  switcher: async (): Promise<LazyDialog> => (await import('./QuickSwitcher.tsx')).QuickSwitcher,
  help: async (): Promise<LazyDialog> => (await import('./HelpDialog.tsx')).HelpDialog,
  sign_out: async (): Promise<LazyDialog> => (await import('./SignOutDialog.tsx')).SignOutDialog,
};

/** When the first picture stands, and nothing else changes. */
const PREPARE_AFTER_MS = 500;

/** The dialog that is open, if any. */
export function Dialogs() {
  const open = useDialogs((store) => store.open);
  const close = () => useDialogs.getState().close(open);

  useEffect(() => {
    // By the time that somebody presses the keys, it is there: what they type next must not go elsewhere.
    const timer = setTimeout(() => void Promise.allSettled(Object.values(LAZY).map((load) => load())), 200);
    return () => clearTimeout(timer);
  }, []);

  usePreparedRooms();

  switch (open.kind) {
    case 'none':
      return null;
    case 'create_room':
      return <CreateRoomDialog suggestion={open.suggestion} onCreated={open.onCreated} onClose={close} />;
    case 'switcher':
    case 'help':
    case 'sign_out':
      return <Loaded key={open.kind} kind={open.kind} onClose={close} />;
  }
}

/** The first key in the switcher finds the rooms prepared, however many they are. */
function usePreparedRooms(): void {
  const rooms = useRooms((store) => store.rooms);
  useEffect(() => {
    const timer = setTimeout(() => {
      // Without it, the switcher prepares them when it is opened.
      import('./switcher-items.ts').then(({ prepareSwitcher }) => prepareSwitcher(rooms), ignore);
    }, PREPARE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [rooms]);
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

  return Part === null ? null : <Part onClose={onClose} />;
}
