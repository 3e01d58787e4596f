/** Bugs of changes of the role, and of removed accounts. */
import { WRITES } from '../../server/data/storage/queries/queries.ts';
import { sql } from '../../server/data/storage/queries/sql.ts';
import { first, run } from '../../server/data/storage/queries/steps.ts';
import { Line } from '../../server/entrypoints/realtime/line/session/line.ts';
import type { PlantedBug } from './planting.ts';

export const RIGHTS_BUGS: readonly PlantedBug[] = [
  {
    name: 'a change of the role that open sockets do not follow',
    from: 25,
    shows: /as a guest|converge/,
    plant: (patch) => patch(Line.prototype, 'judge', () => () => {}),
  },
  {
    name: 'a write that does not ask whether its user is live',
    from: 504,
    shows: /the removed user/,
    plant: (patch) =>
      patch(
        WRITES,
        'joinRoom',
        (joinRoom) =>
          function* (join) {
            const user = yield* first<{ at: number | null }>(
              sql`SELECT suspended_at AS at FROM users WHERE id = ${join.userId}`,
            );
            yield* run(sql`UPDATE users SET suspended_at = NULL WHERE id = ${join.userId}`);
            const joined = yield* joinRoom(join);
            yield* run(sql`UPDATE users SET suspended_at = ${user?.at ?? null} WHERE id = ${join.userId}`);
            return joined;
          },
      ),
  },
];
