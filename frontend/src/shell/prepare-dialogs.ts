import { AuthPage } from '../pages/auth/AuthPage.tsx';
import { useRooms } from '../stores/rooms.ts';
import { LAZY_DIALOGS } from './lazy-dialogs.ts';

/** Rooms change in bursts, and the paint that shows them comes first. */
const PREPARE_AFTER_MS = 500;

/**
 * Fetches the dialogs, and the sign-in form, before they are shown. The switcher, once a pointer or a shortcut is used:
 * from then on the rooms are prepared for its first key, however many there are. Returns the function that ends this.
 */
export function prepareDialogs(): () => void {
  // Small, and needed when there may be no server to fetch it from.
  void Promise.allSettled([AuthPage.prepare(), LAZY_DIALOGS.sign_out(), LAZY_DIALOGS.create_room()]);
  const controller = new AbortController();
  let endPreparing: (() => void) | undefined;
  whenSwitcherLikely(controller.signal, () => {
    void Promise.allSettled([LAZY_DIALOGS.switcher(), LAZY_DIALOGS.help()]);
    endPreparing = keepSwitcherPrepared();
  });
  return () => {
    controller.abort();
    endPreparing?.();
  };
}

/** The first Ctrl or ⌘, which comes before the K, the first move of a mouse, or the first touch. */
function whenSwitcherLikely(signal: AbortSignal, then: () => void): void {
  const first = new AbortController();
  const options = { signal: AbortSignal.any([signal, first.signal]), passive: true };
  const found = () => {
    first.abort();
    then();
  };
  window.addEventListener('keydown', ({ ctrlKey, metaKey }) => (ctrlKey || metaKey) && found(), options);
  window.addEventListener('pointermove', ({ pointerType }) => pointerType === 'mouse' && found(), options);
  window.addEventListener('pointerdown', found, options);
}

/** When it fails, the switcher prepares them as it opens. */
function prepareRooms(): void {
  import('./switcher-items.ts').then(
    ({ prepareSwitcher }) => prepareSwitcher(useRooms.getState().rooms),
    () => undefined,
  );
}

function keepSwitcherPrepared(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const prepareLater = () => {
    clearTimeout(timer);
    timer = setTimeout(prepareRooms, PREPARE_AFTER_MS);
  };
  const stop = useRooms.subscribe(({ rooms }, before) => {
    if (rooms !== before.rooms) prepareLater();
  });
  prepareLater();
  return () => {
    clearTimeout(timer);
    stop();
  };
}
