/** A room as it is stored, and the outcome of a change of it or of its members. */
import type { MessageRow, RoomRow } from '../../../rules/rows.ts';
import type { UserChange } from './user-change.ts';

/** A change of a room or of its members, or why there is none. */
export type RoomChange =
  | {
      outcome: 'changed';
      room: RoomRow;
      /** In the room's log, ascending; announced to the room like messages. */
      notices: MessageRow[];
      /** New rows in the logs of users. */
      changes: UserChange[];
    }
  | { outcome: 'unchanged'; room: RoomRow }
  | { outcome: 'room_not_found' }
  | { outcome: 'not_allowed' }
  /** The cap of members or of memberships is reached. */
  | { outcome: 'too_many' }
  /** The last owner cannot leave or step down. */
  | { outcome: 'last_owner' }
  | { outcome: 'user_not_found' };
