/** All operations of the store, as statements. A write runs whole in one transaction. */
import type { ListedRoom, MemberRow, MessageWrites, ProfileRow, Reads, Writes } from '../store.ts';
import { administrationReads, administrationWrites } from './administration.ts';
import { auditReads } from './audit.ts';
import { roomChanges } from './change-room.ts';
import { consumerReads, consumerWrites } from './consumers.ts';
import { deletionReads, deletionWrites, purgeRooms } from './delete-room.ts';
import { dmWrites } from './dms.ts';
import { emojiReads, emojiWrites } from './emoji.ts';
import { listReads } from './entries.ts';
import { fileReads, fileWrites } from './files.ts';
import { headReads } from './heads.ts';
import { inboxReads } from './inbox.ts';
import { inviteReads, inviteWrites } from './invites.ts';
import { markReads, markWrites } from './marks.ts';
import { type MembersPiece, memberListReads, membersPiece } from './member-list.ts';
import { memberWrites } from './members.ts';
import { messageChangeReads, messageChanges } from './message-changes.ts';
import { messageFileWrites } from './message-files.ts';
import { messageReads } from './messages.ts';
import { moderationReads, moderationWrites } from './moderation.ts';
import { notificationReads, notificationWrites } from './notifications.ts';
import {
  type PeopleCursor,
  type PeoplePiece,
  peopleReads,
  peopleWrites,
  searchPeoplePiece,
} from './people.ts';
import type { Scanned } from './pieces.ts';
import { postWrites } from './post.ts';
import { previewReads, previewWrites } from './previews.ts';
import { purgeReports, purgeSome } from './purge.ts';
import { pushReads, pushWrites } from './push.ts';
import { registrationReads, registrationWrites } from './registrations.ts';
import { removalReads, removalWrites } from './removal.ts';
import { retentionReads, retentionWrites } from './retention.ts';
import { type RoomsPiece, roomReads, roomWrites, searchRoomsPiece } from './rooms.ts';
import { savedReads, savedWrites } from './saved.ts';
import { searchReads } from './search.ts';
import { serverInviteReads, serverInviteWrites } from './server-invites.ts';
import { serverNameReads, serverNameWrites } from './server-name.ts';
import { setupReads, setupWrites } from './setup.ts';
import { signInLinkReads, signInLinkWrites } from './sign-in-links.ts';
import type { AsSteps } from './steps.ts';
import { threadReads, threadWrites } from './threads.ts';
import { turnWrites } from './turns.ts';
import { touch } from './upkeep.ts';
import { userLogReads } from './user-log-rows.ts';
import { userReads, userWrites } from './users.ts';

/** The adapters' own writes. */
interface UpkeepWrites {
  touch(now: number): void;
  /** Deletes some of what has expired, at most `limit` rows of each kind; true when there may be more. */
  purgeSome(of: { now: number; limit: number }): boolean;
  /** Deletes some of the reports whose time is over; true when it has deleted any. */
  purgeReports(of: { now: number; limit: number }): boolean;
  /** Deletes some of the messages of a room whose time is over, and at last the room; true when there is more to do. */
  purgeRooms(of: { now: number; limit: number }): boolean;
}

/** Appending plain texts is each adapter's own: it is the hot path. */
export interface SqlWrites extends Omit<Writes, keyof MessageWrites>, UpkeepWrites {}
/** The adapters' own reads: parts of reads that may have to scan much. */
interface Pieces {
  searchRoomsPiece(piece: RoomsPiece): Scanned<ListedRoom, number>;
  searchPeoplePiece(piece: PeoplePiece): Scanned<ProfileRow, PeopleCursor>;
  membersPiece(piece: MembersPiece): Scanned<MemberRow, number>;
}
export interface SqlReads extends Reads, Pieces {}

const storeWrites = {
  ...userWrites,
  ...peopleWrites,
  ...setupWrites,
  ...roomWrites,
  ...roomChanges,
  ...deletionWrites,
  ...dmWrites,
  ...memberWrites,
  ...markWrites,
  ...inviteWrites,
  ...postWrites,
  ...messageChanges,
  ...messageFileWrites,
  ...savedWrites,
  ...pushWrites,
  ...threadWrites,
  ...consumerWrites,
  ...notificationWrites,
  ...administrationWrites,
  ...signInLinkWrites,
  ...serverNameWrites,
  ...serverInviteWrites,
  ...moderationWrites,
  ...removalWrites,
  ...registrationWrites,
  ...retentionWrites,
  ...fileWrites,
  ...emojiWrites,
  ...previewWrites,
  ...turnWrites,
};
const storeReads = {
  ...userReads,
  ...peopleReads,
  ...setupReads,
  ...roomReads,
  ...deletionReads,
  ...listReads,
  ...userLogReads,
  ...memberListReads,
  ...markReads,
  ...inviteReads,
  ...pushReads,
  ...messageReads,
  ...messageChangeReads,
  ...savedReads,
  ...threadReads,
  ...consumerReads,
  ...notificationReads,
  ...inboxReads,
  ...headReads,
  ...administrationReads,
  ...signInLinkReads,
  ...serverNameReads,
  ...serverInviteReads,
  ...moderationReads,
  ...auditReads,
  ...removalReads,
  ...registrationReads,
  ...retentionReads,
  ...fileReads,
  ...emojiReads,
  ...previewReads,
  ...searchReads,
};

export const WRITES: AsSteps<SqlWrites> = { ...storeWrites, touch, purgeSome, purgeReports, purgeRooms };
/** What a purge runs, each until it returns false. */
export const PURGES = ['purgeSome', 'purgeReports', 'purgeRooms'] as const;
export const READS: AsSteps<SqlReads> = {
  ...storeReads,
  searchRoomsPiece,
  searchPeoplePiece,
  membersPiece,
};

/** The names of the store's own operations, from which each adapter builds its methods. */
export const WRITE_NAMES = [...Object.keys(storeWrites), 'append'] as (keyof Writes)[];
export const READ_NAMES = Object.keys(storeReads) as (keyof Reads)[];
