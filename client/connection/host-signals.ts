import type { Cancel } from '../clock.ts';

/** `wake`: the device may have a network again, so retry now. `offline`: the device has lost its network. */
export type HostSignal = 'wake' | 'offline';

/** Calls `listener` when the state of the device's network changes, until cancelled. */
export type HostSignals = (listener: (signal: HostSignal) => void) => Cancel;

/** The part of a `Window` that `browserSignals` uses. */
export interface SignalEvents {
  readonly document: {
    readonly visibilityState: string;
    addEventListener(type: 'visibilitychange', listener: () => void): void;
    removeEventListener(type: 'visibilitychange', listener: () => void): void;
  };
  addEventListener(type: 'online' | 'offline' | 'pageshow', listener: () => void): void;
  removeEventListener(type: 'online' | 'offline' | 'pageshow', listener: () => void): void;
}

/** `wake` when the browser comes online and when the page is shown or restored; `offline` when it goes offline. */
export function browserSignals(window: SignalEvents): HostSignals {
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
