/** A user's log has a new row, with this number. */
export interface UserChange {
  userId: number;
  userSeq: number;
}
