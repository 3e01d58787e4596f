import { useEffect } from 'react';
import { useDialogs } from '../../stores/dialogs.ts';
import { messageOf } from './held-message.ts';

/**
 * A press on the picture beside a message opens the profile, as the name above the message does. The picture is hidden
 * from screen readers and the keyboard, which have the name. It renders nothing.
 */
export function AvatarPress() {
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const anchor = target instanceof Element ? target.closest('[data-row=message] > [data-hue]') : null;
      const message = anchor?.parentElement && messageOf(anchor.parentElement);
      if (message) useDialogs.getState().show({ kind: 'profile', userId: message.user_id, anchor });
    };
    window.addEventListener('click', onClick);
    return () => window.removeEventListener('click', onClick);
  }, []);
  return null;
}
