/** The pictures of previews: files of the purpose `link`. */
import type { LinkPreview } from '../../../../protocol/link-previews.ts';
import { picturesIn } from '../../../rules/link-previews.ts';
import type { MessageRow } from '../store.ts';
import { list, type Sql, sql } from './sql.ts';
import { all, run, type Steps } from './steps.ts';

type Of = Pick<MessageRow, 'roomId' | 'id' | 'userId'>;

/** The message has the pictures of these previews from now on, and no others. A preview loses one that is not there. */
export function* takeLinkPictures(message: Of, previews: readonly LinkPreview[]): Steps<LinkPreview[]> {
  const there = new Set(yield* takeFiles(message, picturesIn(previews)));
  yield* dropLinkPictures(message, [...there]);
  return previews.map(({ image, ...preview }) =>
    image && there.has(image.key) ? { ...preview, image } : preview,
  );
}

function* takeFiles({ roomId, id, userId }: Of, keys: readonly string[]): Steps<string[]> {
  if (keys.length === 0) return [];
  const taken = yield* all<{ key: string }>(sql`
    UPDATE files SET message_id = ${id}, expires_at = NULL
    WHERE key IN (${list(keys)}) AND purpose = 'link' AND room_id = ${roomId} AND state = 'ready'
      AND (message_id = ${id} OR (message_id IS NULL AND owner_id = ${userId} AND expires_at IS NOT NULL))
    RETURNING key`);
  return taken.map(({ key }) => key);
}

/** The pictures of a message but these are deleted. */
export function* dropLinkPictures({ roomId, id }: Of, except: readonly string[] = []): Steps<void> {
  const others: Sql = except.length === 0 ? sql`` : sql`AND key NOT IN (${list(except)})`;
  yield* run(sql`
    UPDATE files SET state = 'deleted'
    WHERE room_id = ${roomId} AND message_id = ${id} AND purpose = 'link' AND state <> 'deleted' ${others}`);
}
