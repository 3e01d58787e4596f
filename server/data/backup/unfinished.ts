/** Where a backup is while it is made: beside its own folder, under a name that no finished one has. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';

const END = '.partial';

/** The folder that a new backup gets, and the one that it is made in. Throws a sentence when it may not have that name. */
export function foldersOfNew(folder: string): { to: string; partial: string } {
  const to = resolve(folder);
  if (existsSync(to)) throw new UnusableDatabaseError(`${to} is there already. Name a folder that is not.`);
  if (to.endsWith(END))
    throw new UnusableDatabaseError(
      `${to} ends in ${END}, as backups do that are not finished. Name another folder.`,
    );
  return { to, partial: to + END };
}

/** Throws a sentence when a backup of this name is still being made, or was killed. */
export function refuseUnfinished(from: string): void {
  if (!resolve(from).endsWith(END)) return;
  throw new UnusableDatabaseError(
    `${from} was never finished: its backup is still being made, or was killed. Restore another one. ` +
      `If you have no other, and nothing makes this one any more, rename it so that it does not end in ${END}.`,
  );
}
