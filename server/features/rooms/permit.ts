/** Consults the access table before a read. For a write the store does so, within the write's transaction. */
import { AppError } from '../../../protocol/errors.ts';
import type { Standing, Store } from '../../data/storage/store.ts';
import type { Action } from '../../rules/room-access.ts';
import { verdictOn } from '../../rules/standing.ts';

export interface Where {
  roomId: number;
  userId: number;
}

/**
 * The user's standing in the room. Throws `AppError` `room_not_found` for what is hidden, `not_allowed` for the rest.
 */
export async function permit(store: Store, action: Action, where: Where, now: number): Promise<Standing> {
  const standing = await store.standing(where);
  const verdict = standing && verdictOn(action, standing, now);
  if (!standing || verdict === 'hidden') throw new AppError('room_not_found');
  if (verdict === 'forbidden') throw new AppError('not_allowed');
  return standing;
}
