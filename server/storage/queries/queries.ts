/** All operations of the store, as statements. A write runs whole in one transaction. */
import type { MessageWrites, Reads, Writes } from '../store.ts';
import { roomChanges } from './change-room.ts';
import { dmWrites } from './dms.ts';
import { listReads } from './entries.ts';
import { inviteReads, inviteWrites } from './invites.ts';
import { markReads, markWrites } from './marks.ts';
import { memberWrites } from './members.ts';
import { messageReads } from './messages.ts';
import { peopleReads, peopleWrites } from './people.ts';
import { roomReads, roomWrites, type SearchedPiece, type SearchPiece, searchRooms } from './rooms.ts';
import type { AsSteps } from './steps.ts';
import { touch } from './upkeep.ts';
import { purgeUsers, userReads, userWrites } from './users.ts';

/** The adapters' own writes. */
interface UpkeepWrites {
  touch(now: number): void;
  /** Deletes some of what has expired, at most `limit` rows of each kind; true when there may be more. */
  purgeSome(of: { now: number; limit: number }): boolean;
}

/** Appending messages is each adapter's own: it is the hot path. */
export interface SqlWrites extends Omit<Writes, keyof MessageWrites>, UpkeepWrites {}
export interface SqlReads extends Reads {
  searchRooms(piece: SearchPiece): SearchedPiece;
}

const storeWrites = {
  ...userWrites,
  ...peopleWrites,
  ...roomWrites,
  ...roomChanges,
  ...dmWrites,
  ...memberWrites,
  ...markWrites,
  ...inviteWrites,
};
const storeReads = {
  ...userReads,
  ...peopleReads,
  ...roomReads,
  ...listReads,
  ...markReads,
  ...inviteReads,
  ...messageReads,
};

export const WRITES: AsSteps<SqlWrites> = { ...storeWrites, touch, purgeSome: purgeUsers };
export const READS: AsSteps<SqlReads> = { ...storeReads, searchRooms };

/** The names of the store's own operations, from which each adapter builds its methods. */
export const WRITE_NAMES = [...Object.keys(storeWrites), 'append'] as (keyof Writes)[];
export const READ_NAMES = Object.keys(storeReads) as (keyof Reads)[];
