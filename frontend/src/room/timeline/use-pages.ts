import { useEffect, useRef, useState } from 'react';

/** After a failure, scrolling on tries again, after a pause that doubles with each failure. */
const RETRY_AFTER_MS = 1000;
const MAX_RETRY_AFTER_MS = 8000;

interface PagesOptions {
  readonly read: () => Promise<void>;
  /** Whether there are more, and what was read last is shown. */
  readonly mayRead: () => boolean;
  /** How many connections there have been: a request that failed over one may succeed over the next. */
  readonly connections: number;
}

export interface Pages {
  readonly status: 'idle' | 'loading' | 'failed';
  /** The reader asks for them. Works at once after a failure. */
  readonly load: () => void;
  /** The reader comes near. May be called with every scroll. */
  readonly loadAhead: () => void;
}

/** Loads the messages before those that are shown, or after them, one page at a time. */
export function usePages({ read, mayRead, connections }: PagesOptions): Pages {
  const [status, setStatus] = useState<Pages['status']>('idle');
  // Scrolling asks more often than React renders.
  const isLoading = useRef(false);
  const isHere = useRef(true);
  const failures = useRef(0);
  /** Scrolling does not try again before this time over the same connection. */
  const rest = useRef({ until: 0, connections });

  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  async function request(): Promise<void> {
    if (isLoading.current) return;
    isLoading.current = true;
    setStatus('loading');
    const outcome = await read().then(
      () => 'idle' as const,
      () => 'failed' as const,
    );
    isLoading.current = false;
    failures.current = outcome === 'failed' ? failures.current + 1 : 0;
    rest.current = { until: Date.now() + restMs(failures.current), connections };
    if (isHere.current) setStatus(outcome);
  }

  return {
    status,
    load: () => void request(),
    loadAhead: () => {
      const { until, connections: tried } = rest.current;
      const isResting = failures.current > 0 && tried === connections && Date.now() < until;
      if (!isResting && mayRead()) void request();
    },
  };
}

function restMs(failures: number): number {
  return Math.min(RETRY_AFTER_MS * 2 ** (failures - 1), MAX_RETRY_AFTER_MS);
}
