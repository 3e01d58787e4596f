import { useSyncExternalStore } from 'react';
import { startOfDay } from '../../i18n/time.ts';

/** How soon a device that slept, or whose clock or time zone changed, is noticed. */
const LOOK_EVERY_MS = 60_000;
/** A timer may fire a little early. */
const AFTER_MIDNIGHT_MS = 50;

/** Local midnight of today. A page may stay open for days. */
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
  // Timers are paused in a hidden tab.
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

function msToMidnight(): number {
  return new Date().setHours(24, 0, 0, 0) - Date.now();
}
