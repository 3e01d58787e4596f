/** The text of an edit that is not finished. It survives a reload, and ends with the sign-out. */
import { chat } from '../../stores/chat.ts';
import { localStore } from '../../stores/device.ts';
import { useEditing } from '../../stores/editing.ts';

export interface EditDraft {
  readonly messageId: number;
  /** Earlier builds did not keep it. */
  readonly roomId?: number;
  readonly content: string;
  /** The revision that is edited. */
  readonly base: number;
}

export function readEdit(): EditDraft | null {
  try {
    const value: unknown = JSON.parse(localStore.getItem(key()) ?? 'null');
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

export function keepEdit(draft: EditDraft): void {
  localStore.setItem(key(), JSON.stringify(draft));
}

/** Opens the editor in place of the message. What was begun before is continued. */
export function startEdit(messageId: number): void {
  useEditing.setState({ messageId, takesFocus: true });
}

export function endEdit(): void {
  localStore.removeItem(key());
  useEditing.setState({ messageId: null });
}

/** Opens the editor with a text that could not be saved. False while another one is open. */
export function reopenEdit(draft: EditDraft): boolean {
  const { messageId } = useEditing.getState();
  if (messageId !== null) return false;
  keepEdit(draft);
  useEditing.setState({ messageId: draft.messageId, takesFocus: false });
  return true;
}

/** Continues the edit that an earlier visit has left. */
export function resumeEdit(): void {
  const draft = readEdit();
  if (draft !== null) startEdit(draft.messageId);
}

function key(): string {
  return `chat_edit:${chat().user?.id ?? 0}`;
}

function isDraft(value: unknown): value is EditDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { messageId, content, base } = value as Partial<EditDraft>;
  return typeof messageId === 'number' && typeof content === 'string' && typeof base === 'number';
}
