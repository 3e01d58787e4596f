/** Bugs of edits, deletions and reactions. */
import { WRITES } from '../../server/data/storage/queries/queries.ts';
import { sql } from '../../server/data/storage/queries/sql.ts';
import { run } from '../../server/data/storage/queries/steps.ts';
import type { PlantedBug } from './planting.ts';

export const CHANGE_BUGS: readonly PlantedBug[] = [
  {
    name: 'a deletion that leaves the text in the database',
    shows: /the log has|shows|reads|nobody sent/,
    plant: (patch) =>
      patch(
        WRITES,
        'deleteMessage',
        (deleteMessage) =>
          function* (target) {
            const change = yield* deleteMessage(target);
            const { roomId, messageId } = target;
            yield* run(
              sql`UPDATE messages SET content = 'still there' WHERE room_id = ${roomId} AND id = ${messageId}`,
            );
            return change;
          },
      ),
  },
  {
    name: 'a reaction that is announced with a count that is too high',
    shows: /the log has|shows/,
    store: (store) => ({
      ...store,
      async react(of) {
        const change = await store.react(of);
        if (change.outcome !== 'changed' || change.message.reaction === undefined) return change;
        const { reaction } = change.message;
        const wrong = { ...reaction, count: reaction.count + 1 };
        return { ...change, message: { ...change.message, reaction: wrong } };
      },
    }),
  },
  {
    name: 'a resume that has the text from before an edit',
    shows: /the log has|shows/,
    store: (store) => ({
      ...store,
      async messagesAfter(query) {
        const rows = await store.messagesAfter(query);
        return rows.map((row) => ((row.facts?.revision ?? 0) > 0 ? { ...row, content: 'long ago' } : row));
      },
    }),
  },
];
