import { describe, expect, it } from 'vitest';
import { NOW, newUser, unique } from '../../server/data/storage/contract/subject.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { may } from '../../server/rules/room-access.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';

const KINDS = ['public', 'private', 'dm', 'dm of three'] as const;
const ROLES = ['member', 'guest', 'admin'] as const;
const MEMBERSHIPS = ['none', 'in', 'left'] as const;
const UNTIL = { never: null, past: NOW, future: NOW + 1 } as const;
const TIMES = ['never', 'past', 'future'] as const;
/**
 * What the room already has under the same cid: nothing, the same text, another one, or another one that was edited.
 */
const BEFORE = ['nothing', 'same', 'other', 'edited', 'deleted'] as const;
const BOTH = [false, true] as const;

interface Case {
  kind: (typeof KINDS)[number];
  role: (typeof ROLES)[number];
  membership: (typeof MEMBERSHIPS)[number];
  banned: keyof typeof UNTIL;
  silenced: keyof typeof UNTIL;
  isArchived: boolean;
  isBlocked: boolean;
  before: (typeof BEFORE)[number];
}

/** Every combination. Someone who never was a member is neither banned nor silenced. */
function* allCases(): Generator<Case> {
  for (const kind of KINDS)
    for (const role of ROLES)
      for (const membership of MEMBERSHIPS)
        for (const banned of membership === 'none' ? (['never'] as const) : TIMES)
          for (const silenced of membership === 'none' ? (['never'] as const) : TIMES)
            for (const isArchived of BOTH)
              for (const isBlocked of BOTH)
                for (const before of BEFORE)
                  yield { kind, role, membership, banned, silenced, isArchived, isBlocked, before };
}

/** By the access table in TypeScript. */
function expected(of: Case): string {
  const kind = of.kind === 'dm of three' ? 'dm' : of.kind;
  const member = {
    role: 'member' as const,
    hasLeft: of.membership === 'left',
    isBanned: of.banned === 'future',
    isSilenced: of.silenced === 'future',
  };
  const room = { kind, isArchived: of.isArchived, settings: {}, members: 2 };
  const verdict = may('post', { role: of.role }, room, of.membership === 'none' ? null : member);
  if (verdict === 'hidden') return 'room_not_found';
  if (of.before === 'other') return 'cid_conflict';
  if (of.before !== 'nothing') return 'duplicate';
  if (verdict === 'forbidden') return 'not_allowed';
  return of.kind === 'dm' && of.isBlocked ? 'not_delivered' : 'stored';
}

describe.skipIf(whyNoPostgres() !== undefined)('append_v1 and the access table', () => {
  it('decide alike, in every combination of room, user, membership, block and repeat', async () => {
    await using server = await PostgresServer.start();
    const url = await server.createDatabase();
    const address = addressOf(url);
    const { store } = await openPostgresStore({ address, isShared: false, onFatal });
    const cases = [...allCases()];
    const { id: friend } = await newUser(store);
    const roomOf = ({ kind, isArchived }: Case) => 1 + 2 * KINDS.indexOf(kind) + (isArchived ? 1 : 0);
    const rooms = KINDS.flatMap((kind) => BOTH.map((isArchived) => ({ kind, isArchived })));
    const values = rooms.map(({ kind, isArchived }, index) => {
      const [stored, members] = kind === 'dm of three' ? ['dm', 3] : [kind, 2];
      return `(${index + 1}, '', '${unique('key')}', ${friend}, '${stored}', ${members}, ${isArchived ? 1 : null}, 0)`;
    });
    await server.run(
      `INSERT INTO rooms (id, name, name_key, owner_id, kind, members, archived_at, created_at) VALUES ${values};
       INSERT INTO members (room_id, user_id, joined_at, user_seq) SELECT id, ${friend}, 0, id FROM rooms`,
      url,
    );
    await server.run(cases.map((of, index) => rowsOf(of, 1000 + index, roomOf(of), friend)).join(';'), url);

    const outcomes = await Promise.all(
      cases.map((of, index) =>
        store.append({ roomId: roomOf(of), userId: 1000 + index, cid: 'cid', content: 'text', now: NOW }),
      ),
    );
    const found = cases.map((of, index) => ({ ...of, outcome: outcomes[index]?.outcome }));
    expect(found).toEqual(cases.map((of) => ({ ...of, outcome: expected(of) })));
    expect(new Set(found.map(({ outcome }) => outcome)).size).toBe(6);
    await store.close();
  });
});

/** Statements that make the author of a case, and what the room knows about them. */
function rowsOf(of: Case, userId: number, roomId: number, friend: number): string {
  const { role, membership, banned, silenced, isBlocked, before } = of;
  const statements = [
    `INSERT INTO users (id, username, username_key, password_hash, created_at, role)
       VALUES (${userId}, 'user', 'key ${userId}', '', 0, '${role}')`,
  ];
  if (membership !== 'none')
    statements.push(
      `INSERT INTO members (room_id, user_id, joined_at, left_at, banned_until, silenced_until, user_seq) VALUES
         (${roomId}, ${userId}, 0, ${membership === 'left' ? 1 : null}, ${UNTIL[banned]}, ${UNTIL[silenced]}, 1)`,
    );
  if (isBlocked)
    statements.push(`INSERT INTO blocks (user_id, blocked_id, user_seq) VALUES (${friend}, ${userId}, 1)`);
  if (before !== 'nothing')
    statements.push(
      `INSERT INTO messages
         (room_id, seq, changed_seq, number, user_id, created_at, cid, content, revision, deleted_at) VALUES
         (${roomId}, -${userId}, -${userId}, 0, ${userId}, 0, 'cid', '${before === 'same' ? 'text' : 'another'}',
         ${before === 'edited' ? 1 : 0}, ${before === 'deleted' ? 1 : null})`,
    );
  return statements.join(';');
}

function onFatal(error: Error): never {
  throw error;
}
