/** Reading a room for a user. */

/**
 * For whom a room is read: nothing of the room is read when this user may not read it at `now` (Unix milliseconds), and
 * the read takes the same work as of a room that is not there.
 */
export interface Reader {
  userId: number;
  now: number;
}
