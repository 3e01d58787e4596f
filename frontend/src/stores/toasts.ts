/** Short messages at the edge of the screen, for failures and undo. A success shows where it happened. */
import { create } from 'zustand';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

interface ToastsStore {
  /** Oldest first. */
  readonly toasts: readonly Toast[];
  dismiss(id: number): void;
}

const MAX_TOASTS = 3;
const SHOWN_MS = 8000;

let lastId = 0;

export const useToasts = create<ToastsStore>((set, get) => ({
  toasts: [],
  dismiss: (id) => set({ toasts: get().toasts.filter((toast) => toast.id !== id) }),
}));

/** Shows a message for 8 s or `shownMs`, or until it is dismissed. */
export function showToast(text: string, action?: Toast['action'], shownMs = SHOWN_MS): void {
  lastId += 1;
  const id = lastId;
  const { toasts, dismiss } = useToasts.getState();
  // The same message twice helps nobody.
  const others = toasts.filter((toast) => toast.text !== text);
  useToasts.setState({ toasts: [...others, { id, text, action }].slice(-MAX_TOASTS) });
  setTimeout(() => dismiss(id), shownMs);
}
