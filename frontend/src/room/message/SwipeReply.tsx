import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { ReplyIcon } from '../../ui/late-icons.tsx';
import { SwipeMark } from '../../ui/SwipeMark.tsx';
import { watchSwipe } from '../../ui/swipe.ts';
import { messageOf } from './held-message.ts';
import { carryOut, may } from './message-commands.ts';

/** A finger that draws a message aside answers it. Meanwhile an arrow beside the message shows what lifting it does. */
export function SwipeReply() {
  const [row, setRow] = useState<HTMLElement | null>(null);
  const [isFar, setFar] = useState(false);

  useEffect(() => {
    const controller = new AbortController();
    window.addEventListener('pointerdown', onPointerDown, { passive: true, signal: controller.signal });
    return () => controller.abort();

    function onPointerDown(down: PointerEvent): void {
      if (!(down.target instanceof Element)) return;
      const touched = down.target.closest<HTMLElement>('[data-row=message]');
      const message = touched && messageOf(touched);
      if (!message || !may('reply', message)) return;
      watchSwipe(down, touched, {
        onStart: () => setRow(touched),
        onFar: setFar,
        onEnd: (isAnswered) => {
          setRow(null);
          setFar(false);
          if (isAnswered) carryOut('reply', message, touched);
        },
      });
    }
  }, []);

  if (row === null) return null;
  return createPortal(
    <SwipeMark isFar={isFar} testId="swipe-arrow">
      <ReplyIcon size={18} />
    </SwipeMark>,
    row,
  );
}
