import { type ComponentProps, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import styles from './Dialog.module.css';

type DialogProps = Omit<ComponentProps<'dialog'>, 'ref' | 'onClose'> & {
  readonly ref?: Ref<HTMLDialogElement>;
  readonly onClose: () => void;
};

/**
 * A native modal dialog, open as long as it is rendered: the browser keeps the focus inside, gives it back afterwards, and
 * closes it at Escape; a press beside it closes it, too.
 */
export function Dialog({ ref, onClose, className, children, ...rest }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedBeside = useRef(false);
  useImperativeHandle(ref, () => dialog.current as HTMLDialogElement);

  // Before it is taken out of the document: after that the browser gives no focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    // A menu goes first and gives the focus back to its button: what had it in the menu could not be given it again.
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover();
    if (element?.open === false) element.showModal();
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself.
    <dialog
      {...rest}
      ref={dialog}
      className={[styles.dialog, className].filter(Boolean).join(' ')}
      onCancel={(event) => {
        // Escape: at once, not when the browser comes to tell of it; the next key may be meant for what lies behind.
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // React's strict mode opens it, closes it and opens it again.
        if (dialog.current?.open !== true) onClose();
      }}
      onPointerDown={(event) => {
        // Its content fills it, so what is hit outside of that is the backdrop.
        isPressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        // A text that is marked beyond the edge began inside.
        if (isPressedBeside.current && event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
