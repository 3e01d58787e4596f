/** Profiles, blocks and a user's own sessions. */
import type { PeopleReads, PeopleWrites } from '../store.ts';
import { notBuilt } from './not-built.ts';
import type { AsSteps } from './steps.ts';

export const peopleWrites: AsSteps<PeopleWrites> = {
  changeProfile: notBuilt,
  setBlock: notBuilt,
  endSession: notBuilt,
  grantAdmin: notBuilt,
};

export const peopleReads: AsSteps<PeopleReads> = {
  profiles: notBuilt,
  searchPeople: notBuilt,
  ownProfile: notBuilt,
  blockedBy: notBuilt,
  liveSessions: notBuilt,
  hasAdmin: notBuilt,
};
