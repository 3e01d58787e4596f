/** Invitations by link. */
import type { InviteReads, InviteWrites } from '../store.ts';
import { notBuilt } from './not-built.ts';
import type { AsSteps } from './steps.ts';

export const inviteWrites: AsSteps<InviteWrites> = {
  createInvite: notBuilt,
  acceptInvite: notBuilt,
  revokeInvite: notBuilt,
};

export const inviteReads: AsSteps<InviteReads> = {
  liveInvites: notBuilt,
  findInvitation: notBuilt,
};
