import { useEffect, useRef } from 'react';
import type { Room } from '../../../../client/index.ts';
import { TYPING_REPEAT_MS, TYPING_TTL_MS } from '../../../../protocol/limits.ts';

interface TypingSignal {
  /** A key has changed the text. */
  typed(hasText: boolean): void;
  /** The message was sent. The server ends the signal by itself. */
  sent(): void;
}

/**
 * Tells the room that the user is typing, at most about once a second, and that they stopped, 3 s after the last key.
 */
export function useTypingSignal(room: Room): TypingSignal {
  const lastSentAt = useRef(0);
  const stop = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(stop.current), []);

  function ended(): void {
    clearTimeout(stop.current);
    lastSentAt.current = 0;
  }

  return {
    typed: (hasText) => {
      if (!hasText) {
        ended();
        room.setTyping(false);
        return;
      }
      clearTimeout(stop.current);
      stop.current = setTimeout(() => {
        ended();
        room.setTyping(false);
      }, TYPING_TTL_MS);
      const now = Date.now();
      if (now - lastSentAt.current <= TYPING_REPEAT_MS) return;
      lastSentAt.current = now;
      room.setTyping(true);
    },
    sent: ended,
  };
}
