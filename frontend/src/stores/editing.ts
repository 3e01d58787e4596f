/** The own message whose text is being edited, if any. */
import { create } from 'zustand';

interface EditingStore {
  readonly messageId: number | null;
  /** False: it was opened again without the user, who may be writing elsewhere. */
  readonly takesFocus: boolean;
}

export const useEditing = create<EditingStore>(() => ({ messageId: null, takesFocus: true }));
