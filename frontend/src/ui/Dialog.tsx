import { type ComponentProps, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import styles from './Dialog.module.css';
import sheetStyles from './Sheet.module.css';
import { SheetGrip } from './SheetGrip.tsx';

type DialogProps = Omit<ComponentProps<'dialog'>, 'ref' | 'onClose'> & {
  readonly ref?: Ref<HTMLDialogElement>;
  readonly onClose: () => void;
  /** It stands at the lower edge of the screen, and a finger pulls it down. */
  readonly isSheet?: boolean;
};

/**
 * A native modal dialog, open while it is rendered. The browser keeps the focus inside, returns it afterwards, and
 * closes the dialog at Escape. A click beside the dialog closes it, too.
 */
export function Dialog({ ref, onClose, isSheet = false, className, children, ...rest }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedBeside = useRef(false);
  useImperativeHandle(ref, () => dialog.current as HTMLDialogElement);

  // Closed before it leaves the document: after that the browser does not return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    // A menu closes first and returns the focus to its button: an element within the menu could not take it again.
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover();
    // Chromium forgets the caret of a field that a dialog takes the focus from.
    const caret = caretOf(document.activeElement);
    if (element?.open === false) element.showModal();
    return () => {
      element?.close();
      caret?.();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself.
    <dialog
      {...rest}
      ref={dialog}
      className={[styles.dialog, className, isSheet && sheetStyles.sheet].filter(Boolean).join(' ')}
      data-sheet={isSheet}
      onCancel={(event) => {
        // Of a dialog that stands over this one
        if (event.target !== dialog.current) return;
        // Close at once, not when the browser reports it: the next key may be meant for the page behind.
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // React's strict mode mounts it twice.
        if (dialog.current?.open !== true) onClose();
      }}
      onPointerDown={(event) => {
        // The content fills the dialog, so a press on the dialog itself is on the backdrop.
        isPressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        // A selection that is dragged beyond the edge began inside.
        if (isPressedBeside.current && event.target === dialog.current) onClose();
      }}
    >
      {isSheet && <SheetGrip onClose={onClose} />}
      {children}
    </dialog>
  );
}

/** Returns the function that puts the caret of a field, or its selection, back, if the field has the focus again. */
function caretOf(field: Element | null): (() => void) | null {
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return null;
  const { selectionStart, selectionEnd, selectionDirection } = field;
  return () => {
    // A box to tick has none.
    if (selectionStart !== null && field === document.activeElement)
      field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none');
  };
}
