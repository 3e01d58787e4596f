import type { Cancel } from './clock.ts';

/** `wake`: waiting has become pointless, try now. `offline`: the device has lost its network. */
export type HostSignal = 'wake' | 'offline';

/** Tells a socket what the device knows: calls `listener` until cancelled. */
export type HostSignals = (listener: (signal: HostSignal) => void) => Cancel;

/** Wakes when the browser comes online, and when the page is shown or restored. */
export function browserSignals(window: Window): HostSignals {
  return (listener) => {
    const wake = () => listener('wake');
    const offline = () => listener('offline');
    const shown = () => {
      if (window.document.visibilityState === 'visible') wake();
    };
    window.addEventListener('online', wake);
    window.addEventListener('offline', offline);
    window.addEventListener('pageshow', shown);
    window.document.addEventListener('visibilitychange', shown);
    return () => {
      window.removeEventListener('online', wake);
      window.removeEventListener('offline', offline);
      window.removeEventListener('pageshow', shown);
      window.document.removeEventListener('visibilitychange', shown);
    };
  };
}
