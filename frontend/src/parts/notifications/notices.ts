/** The latest notification from outside the room on the screen, for screen readers. */
import { create } from 'zustand';

export interface Notice {
  /** The message's id. */
  readonly id: number;
  readonly title: string;
  /** Empty where the user hides the text. */
  readonly body: string;
}

export const useNotices = create<{ readonly last: Notice | null }>(() => ({ last: null }));
