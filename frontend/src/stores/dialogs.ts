/** The one dialog that is open, if any: from wherever it was asked for, by pointer, key or command. */
import { create } from 'zustand';

export type OpenDialog =
  | { readonly kind: 'none' }
  | { readonly kind: 'create_room'; readonly suggestion: string; readonly onCreated?: () => void }
  | { readonly kind: 'switcher' }
  | { readonly kind: 'help' };

interface DialogsStore {
  readonly open: OpenDialog;
  show(dialog: OpenDialog): void;
  close(): void;
}

export const useDialogs = create<DialogsStore>((set) => ({
  open: { kind: 'none' },
  show: (open) => set({ open }),
  close: () => set({ open: { kind: 'none' } }),
}));
