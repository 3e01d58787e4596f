import type { Migration } from './migration.ts';

/** Finds the invitations that have expired, which are deleted. */
export const endedInvites: Migration = {
  version: 6,
  sqlite: 'CREATE INDEX invites_expiry ON invites (expires_at);',
};
