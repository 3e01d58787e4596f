/** Membership. */
import type { MemberReads, MemberWrites } from '../store.ts';
import { notBuilt } from './not-built.ts';
import { findStanding } from './standing.ts';
import type { AsSteps } from './steps.ts';

export const memberWrites: AsSteps<MemberWrites> = {
  joinRoom: notBuilt,
  leaveRoom: notBuilt,
  setMember: notBuilt,
  removeMember: notBuilt,
  joinDefaultRooms: notBuilt,
  setPrefs: notBuilt,
  markRead: notBuilt,
};

export const memberReads: AsSteps<MemberReads> = {
  standing: findStanding,
  members: notBuilt,
  entries: notBuilt,
  userLog: notBuilt,
  unread: notBuilt,
  shareRoom: notBuilt,
};
