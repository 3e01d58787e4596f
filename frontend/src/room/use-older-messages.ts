import { useEffect, useRef, useState } from 'react';
import type { Message, Room } from '../../../client/index.ts';

interface OlderMessages {
  readonly status: 'idle' | 'loading' | 'failed';
  /** The reader asks for them, also after a failure. */
  readonly load: () => void;
  /** The reader comes near: what has failed is not tried again by itself. */
  readonly loadAhead: () => void;
}

/** Loads what lies before the oldest message that is shown as loaded, one page at a time. */
export function useOlderMessages(room: Room, oldest: Message | undefined): OlderMessages {
  const [status, setStatus] = useState<OlderMessages['status']>('idle');
  // Scrolling asks oftener than React draws.
  const isLoading = useRef(false);
  const isHere = useRef(true);

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
    const outcome = await room.loadOlder().then(
      () => 'idle' as const,
      () => 'failed' as const,
    );
    isLoading.current = false;
    if (isHere.current) setStatus(outcome);
  }

  return {
    status,
    load: () => void request(),
    loadAhead: () => {
      const isShown = room.state.messages[0]?.id === oldest?.id;
      if (status !== 'failed' && isShown && room.state.hasOlder) void request();
    },
  };
}
