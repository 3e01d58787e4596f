/** The users and rooms that a plan begins with, and the messages that the rooms start with. */
import { createHash } from 'node:crypto';
import type { UserRow } from '../../server/data/storage/store.ts';
import { Disk } from './disk.ts';
import type { Plan } from './plan.ts';

/** The first user owns every room. */
const OWNER_ID = 1;

/** Invitations do not expire in a simulation. */
const INVITE_MS = 7 * 86_400_000;

export interface Scene {
  readonly disk: Disk;
  readonly roomIds: readonly number[];
  readonly owner: UserRow;
  readonly users: readonly UserRow[];
  /** Somebody without a page, whose account is removed. */
  readonly leaver: UserRow | null;
  /** The user of a page. */
  readonly userOf: (page: number) => UserRow;
}

export function furnish(plan: Plan, now: number): Scene {
  const disk = new Disk();
  const createUser = (username: string): UserRow => {
    const created = disk.write('createUser', {
      ...{ username, key: username, looks: [username] },
      ...{ isDisguised: false, passwordHash: '', now },
    });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return created.user;
  };
  const users = Array.from({ length: plan.users }, (_, index) => createUser(`user ${index}`));
  const leaver = plan.hasLeaver ? createUser('leaver') : null;
  const roomIds = plan.rooms.map(({ messages, isPrivate, inviteUses }, index) => {
    const name = `room ${index}`;
    const created = disk.write('createRoom', {
      ...{ name, key: name, looks: [name], isDisguised: false, kind: isPrivate ? 'private' : 'public' },
      ...{ topic: '', emoji: null, ownerId: OWNER_ID, now, maxPerDay: 0 },
    });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    const roomId = created.room.id;
    const said = Array.from({ length: messages }, (_, count) => ({
      name: 'append' as const,
      args: { roomId, userId: OWNER_ID, cid: null, content: `long ago ${count}`, now },
    }));
    disk.commit(said);
    const inside = new Set(
      plan.pages.filter(({ rooms }) => rooms.includes(index)).map(({ user }) => user + 1),
    );
    if (isPrivate) {
      for (const userId of inside) {
        if (userId !== OWNER_ID) disk.write('setMember', { roomId, actorId: OWNER_ID, userId, now });
      }
    }
    if (inviteUses !== undefined) {
      const codeHash = createHash('sha256').update(inviteCodeOf(index)).digest('base64url');
      const terms = { expiresAt: now + INVITE_MS, maxUses: inviteUses, now };
      disk.write('createInvite', { codeHash, roomId, createdBy: OWNER_ID, ...terms });
    }
    return roomId;
  });
  const userOf = (page: number): UserRow => {
    const user = users[plan.pages[page]?.user ?? 0];
    if (user === undefined) throw new Error('a page of nobody');
    return user;
  };
  const [owner] = users;
  if (!owner) throw new Error('a plan of nobody');
  return { disk, roomIds, owner, users, leaver, userOf };
}

/** The code of the invitation to this room of the plan. */
export function inviteCodeOf(room: number): string {
  return `invitation-to-${room}`;
}
