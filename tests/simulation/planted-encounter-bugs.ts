/** Bugs of direct conversations, of invitations, and of the users' own logs. */
import { WRITES } from '../../server/data/storage/queries/queries.ts';
import { sql } from '../../server/data/storage/queries/sql.ts';
import { run } from '../../server/data/storage/queries/steps.ts';
import { UserLog } from '../../server/entrypoints/realtime/user-log/user-log.ts';
import type { PlantedBug } from './planting.ts';

export const ENCOUNTER_BUGS: readonly PlantedBug[] = [
  {
    name: 'a new direct conversation that is not announced to the others',
    shows: /converge|not on the list/,
    store: (store) => ({
      ...store,
      async append(message) {
        const stored = await store.append(message);
        return stored.outcome === 'stored' ? { ...stored, shown: [] } : stored;
      },
    }),
  },
  {
    name: 'a direct conversation that is made once more',
    shows: /are both the conversation of/,
    plant: (patch) =>
      patch(
        WRITES,
        'createDm',
        (createDm) =>
          function* (dm) {
            yield* run(sql`UPDATE rooms SET name_key = name_key || '#' WHERE kind = 'dm'`);
            return yield* createDm(dm);
          },
      ),
  },
  {
    name: 'a direct conversation that opens for anybody',
    from: 65,
    shows: /which is of others/,
    store: (store) => ({
      ...store,
      async standing(of) {
        const found = await store.standing(of);
        return found?.room.kind === 'dm' ? { ...found, room: { ...found.room, kind: 'public' } } : found;
      },
    }),
  },
  {
    name: 'an invitation whose last use is never over',
    shows: /by an invitation for/,
    plant: (patch) =>
      patch(
        WRITES,
        'acceptInvite',
        (acceptInvite) =>
          function* (accept) {
            yield* run(sql`UPDATE invites SET uses = 0`);
            return yield* acceptInvite(accept);
          },
      ),
  },
  {
    name: 'an accepted invitation that is not announced',
    from: 92,
    shows: /converge|not on the list/,
    store: (store) => ({
      ...store,
      async acceptInvite(accept) {
        const change = await store.acceptInvite(accept);
        return change.outcome === 'changed' ? { ...change, changes: [] } : change;
      },
    }),
  },
  {
    name: 'a lost announcement of a user\u2019s log that the next one does not make up for',
    shows: /converge|on the list|is read up to|the list has/,
    plant: (patch) => {
      const last = new WeakMap<UserLog, number>();
      patch(
        UserLog.prototype,
        'announce',
        (announce) =>
          function (this: UserLog, number) {
            const before = last.get(this) ?? this.head;
            if (this.head >= 0 && number > before + 1) this.startAt(number - 1);
            last.set(this, Math.max(before, number));
            announce.call(this, number);
          },
      );
    },
  },
];
