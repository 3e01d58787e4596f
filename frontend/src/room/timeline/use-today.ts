import { useSyncExternalStore } from 'react';
import { startOfDay } from '../../i18n/time.ts';

/** A device that was asleep, or whose clock or place was changed, is noticed so soon. */
const LOOK_EVERY_MS = 60_000;
/** A timer may come a little early. */
const AFTER_MIDNIGHT_MS = 50;

/** Local midnight of the day that it is; a page may stand open for days. */
export function useToday(): number {
  return useSyncExternalStore(subscribe, today);
}

function today(): number {
  return startOfDay(Date.now());
}

function subscribe(look: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    timer = setTimeout(
      () => {
        look();
        schedule();
      },
      Math.min(LOOK_EVERY_MS, msToMidnight() + AFTER_MIDNIGHT_MS),
    );
  };
  schedule();
  // Timers rest in a tab that nobody sees.
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

function msToMidnight(): number {
  return new Date().setHours(24, 0, 0, 0) - Date.now();
}
