/** The own message whose text is being edited, if any. */
import { create } from 'zustand';

interface EditingStore {
  readonly messageId: number | null;
}

export const useEditing = create<EditingStore>(() => ({ messageId: null }));
