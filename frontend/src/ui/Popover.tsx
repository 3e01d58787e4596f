import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { Dialog } from './Dialog.tsx';
import styles from './Popover.module.css';
import { placeMenu } from './place-menu.ts';

type PopoverProps = Omit<ComponentProps<typeof Dialog>, 'ref' | 'isSheet' | 'className'> & {
  /** What was pressed to open it. Null: it opens in the middle. */
  readonly anchor: Element | null;
};

/** A small dialog beside what opened it; a sheet on a phone. It closes at Escape and with a press beside it. */
export function Popover({ anchor, children, ...rest }: PopoverProps) {
  const isSheet = useMedia(NARROW);
  const dialog = useRef<HTMLDialogElement>(null);
  const [box] = useState(() => (anchor?.isConnected ? anchor.getBoundingClientRect() : null));

  useLayoutEffect(() => {
    const { current: popover } = dialog;
    if (popover === null || isSheet || box === null) return;
    const place = () => placeMenu(popover, { box, align: 'left' });
    const end = place();
    // More of it may come from the server.
    const observer = new ResizeObserver(place);
    observer.observe(popover);
    return () => {
      observer.disconnect();
      end();
    };
  }, [isSheet, box]);

  return (
    <Dialog
      {...rest}
      ref={dialog}
      isSheet={isSheet}
      className={styles.popover}
      data-placed={box !== null && !isSheet}
    >
      {children}
    </Dialog>
  );
}
