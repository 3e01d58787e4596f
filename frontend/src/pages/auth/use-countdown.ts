import { useEffect, useState } from 'react';

/** Counts whole seconds down to zero. */
export function useCountdown(): { readonly secondsLeft: number; start(ms: number): void } {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(0);

  useEffect(() => {
    if (now >= until) return;
    const timer = setTimeout(() => setNow(Date.now()), 250);
    return () => clearTimeout(timer);
  }, [now, until]);

  return {
    secondsLeft: Math.max(0, Math.ceil((until - now) / 1000)),
    start: (ms) => {
      setNow(Date.now());
      setUntil(Date.now() + ms);
    },
  };
}
