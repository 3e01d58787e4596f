import { useState } from 'react';
import type { Message } from '../../../../client/index.ts';
import { keepEdit, readEdit } from './edit-draft.ts';

/** The text of a message while it is edited, kept on the device. What was begun before is continued. */
export function useEditDraft(message: Message) {
  const [draft, setDraft] = useState(() => {
    const { id, room_id: roomId, content, revision: base = 0 } = message;
    const kept = readEdit();
    return kept?.messageId === id ? kept : { messageId: id, roomId, content, base };
  });
  const [before] = useState(message.content);
  const { content, base } = draft;

  function change(next: string): void {
    const changed = { ...draft, content: next };
    setDraft(changed);
    keepEdit(changed);
  }

  return { content, base, isUntouched: content === before, change };
}
