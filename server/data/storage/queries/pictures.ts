/** Small pictures that a person or the server has. The lock of what files count keeps other changes of them out. */
import type { FilePurpose } from '../../../../protocol/rest/files.ts';
import { list, sql } from './sql.ts';
import { first, run, type Steps } from './steps.ts';

/** Takes a checked picture of this person that nothing has yet: it expires no more. False: there is none. */
export function* takePicture(of: { key: string; ownerId: number; purpose: FilePurpose }): Steps<boolean> {
  const taken = yield* first(sql`
    UPDATE files SET expires_at = NULL
    WHERE key = ${of.key} AND owner_id = ${of.ownerId} AND purpose = ${of.purpose} AND state = 'ready'
      AND expires_at IS NOT NULL RETURNING id`);
  return taken !== undefined;
}

/** Nothing has these pictures any more. */
export function* dropPictures(keys: readonly string[]): Steps<void> {
  if (keys.length > 0) yield* run(sql`UPDATE files SET state = 'deleted' WHERE key IN (${list(keys)})`);
}
