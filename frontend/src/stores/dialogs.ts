/** The one dialog that is open, if any, whether a click, a key or a command opened it. */
import { create } from 'zustand';
import type { OutboxFile } from '../../../client/index.ts';

/** The message of a file, as far as it is known where the file is shown. */
export interface FileMessage {
  readonly id: number;
  readonly room_id: number;
  readonly user_id: number;
  /** Undefined: not known. */
  readonly content?: string | undefined;
  readonly files?: readonly unknown[] | undefined;
}

export type OpenDialog =
  | { readonly kind: 'none' }
  | { readonly kind: 'create_room'; readonly suggestion: string }
  | { readonly kind: 'new_dm' }
  | { readonly kind: 'invite_people' }
  /** `anchor`: the name or the picture that was pressed; it opens beside that. */
  | { readonly kind: 'profile'; readonly userId: number; readonly anchor: Element | null }
  /** The user's own status. `anchor`: as above. */
  | { readonly kind: 'status'; readonly anchor: Element | null }
  /** The earlier texts of a message. */
  | { readonly kind: 'revisions'; readonly roomId: number; readonly messageId: number }
  /** `day`: local midnight. */
  | { readonly kind: 'jump_date'; readonly day: number }
  /** Why a message notified the user, or did not. */
  | { readonly kind: 'why'; readonly roomId: number; readonly messageId: number }
  /** Pictures of a message. `at`: the one that is shown first. */
  | {
      readonly kind: 'pictures';
      readonly files: readonly OutboxFile[];
      readonly at: number;
      readonly messageId: number | null;
      /** Their message, where one may change what is in it. */
      readonly of: FileMessage | null;
    }
  | { readonly kind: 'report'; readonly roomId: number; readonly messageId: number }
  | {
      readonly kind: 'moderate';
      readonly roomId: number;
      readonly userId: number;
      readonly username: string;
    }
  /** `query`: what is typed already. */
  | { readonly kind: 'switcher'; readonly query?: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'sign_out' };

interface DialogsStore {
  readonly open: OpenDialog;
  show(dialog: OpenDialog): void;
  /** Closes this dialog. One that has taken its place stays open. */
  close(dialog: OpenDialog): void;
}

export const useDialogs = create<DialogsStore>((set, get) => ({
  open: { kind: 'none' },
  show: (open) => set({ open }),
  close: (dialog) => {
    if (get().open === dialog) set({ open: { kind: 'none' } });
  },
}));
