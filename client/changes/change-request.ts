/** One change of a message as a request. */
import type { MessagesApi } from '../api/messages-api.ts';
import { placeOf } from '../room/stream.ts';
import type { Change } from './change.ts';

/** Resolves with the `seq` of the confirmed change; of most kinds the response does not tell it. */
export async function requestChange(
  api: MessagesApi,
  { roomId, messageId, wanted }: Change,
): Promise<number | null> {
  switch (wanted.kind) {
    case 'edit':
      return placeOf(await api.edit(roomId, messageId, wanted.content, wanted.base));
    case 'delete':
      await api.delete(roomId, messageId);
      return null;
    case 'reaction':
      await api.setReaction(roomId, messageId, wanted.emoji, wanted.on);
      return null;
    case 'pin':
      await api.setPin(roomId, messageId, wanted.on);
      return null;
    case 'saved':
      await api.setSaved(roomId, messageId, wanted.on, wanted.note);
      return null;
  }
}

/**
 * The number of the message as it is now: it has a change that was confirmed before, and perhaps a later one. Null: the
 * message does not show this kind of change, or could not be read.
 */
export async function seqNow(
  api: MessagesApi,
  { roomId, messageId, wanted }: Change,
): Promise<number | null> {
  if (wanted.kind !== 'reaction' && wanted.kind !== 'pin') return null;
  return api.get(roomId, messageId).then(placeOf, () => null);
}
