/** The row of an imported room, its members, and what the server keeps of every room. */
import { MEMBERSHIPS_MAX, ROOM_MEMBERS_MAX } from '../../../protocol/limits.ts';
import { normalizeRoomName } from '../../../protocol/names.ts';
import { searchForm } from '../../../protocol/search/names.ts';
import { nameKey } from '../../../protocol/text.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { looksOf } from '../../rules/names/looks.ts';
import { addAudit } from '../storage/queries/audit.ts';
import { INDEXER } from '../storage/queries/consumers.ts';
import { addLooks, looksFree } from '../storage/queries/looks.ts';
import { NAME_FORM } from '../storage/queries/name-forms.ts';
import { countMemberships } from '../storage/queries/room-work.ts';
import { HIDDEN, hideName } from '../storage/queries/rooms.ts';
import { sql } from '../storage/queries/sql.ts';
import { first, run, type Steps } from '../storage/queries/steps.ts';
import { nextUserSeq } from '../storage/queries/user-log.ts';
import { findPerson } from './room-people.ts';
import { checkSettings, type MemberRow, type RoomRow } from './room-rows.ts';
import { Wrong } from './wrong.ts';

interface NewRoom {
  row: RoomRow;
  /** Instead of its own. */
  name: string | undefined;
  /** Who made it, by the id here. */
  ownerId: number;
}

/** Stores the room without any members. Throws `Wrong`, or a sentence when its name is taken. */
export function* beginRoom({ row, name: other, ownerId }: NewRoom): Steps<{ id: number; name: string }> {
  checkSettings(row);
  const { kind, topic, description, emoji, hue, settings, number, seq } = row;
  if (row.state_seq > seq) throw new Wrong('"state_seq" is above "seq"');
  const name = other ?? row.name;
  if (normalizeRoomName(name) !== name)
    throw new Wrong('"name" is not allowed; give another one with --name');
  const [key, looks] = [nameKey(name), looksOf(name)];
  const isPublic = kind === 'public';
  // As where rooms are made: the first public one is what new people join.
  const isFirst = isPublic && !(yield* first(sql`SELECT id FROM rooms WHERE kind = 'public' LIMIT 1`));
  const created = yield* first<{ id: number }>(sql`
    INSERT INTO rooms (name, name_key, search_key, name_form, kind, topic, description, emoji, hue, owner_id, is_default,
      created_at, archived_at, last_at, members, number, seq, state_seq, settings)
    SELECT ${name}, ${isPublic ? key : HIDDEN}, ${searchForm(name)}, ${NAME_FORM}, ${kind}, ${topic}, ${description}, ${emoji}, ${hue},
      ${ownerId}, ${isFirst ? 1 : 0}, ${row.created_at}, ${row.archived_at}, ${row.last_at}, 0, ${number}, ${seq}, ${row.state_seq},
      ${settings}
    WHERE ${isPublic ? looksFree('room', looks) : sql`true`}
    ON CONFLICT (name_key) DO NOTHING RETURNING id`);
  if (!created)
    throw new UnusableDatabaseError(
      `There is a public room with the name ${JSON.stringify(name)}, or with one that looks like it. ` +
        'Give the imported room another one with --name.',
    );
  if (isPublic) yield* addLooks('room', created.id, looks);
  else yield* hideName(created.id);
  return { id: created.id, name };
}

interface MemberParts {
  room: RoomRow;
  roomId: number;
  /** The id here of a person of the file. Throws `Wrong`. */
  person(field: string, id: number): number;
}

export class Members {
  readonly #parts: MemberParts;
  readonly #seen = new Set<number>();
  #count = 0;
  #owners = 0;

  constructor(parts: MemberParts) {
    this.#parts = parts;
  }

  /** A member who has read everything. Former members get no row in their logs. Throws `Wrong`. */
  *add(member: MemberRow): Steps<void> {
    const { room, person } = this.#parts;
    if (member.room_id !== room.id) throw new Wrong('"room_id" is not that of the room');
    if (this.#seen.has(member.user_id)) throw new Wrong(`"user_id" ${member.user_id} comes twice`);
    this.#seen.add(member.user_id);
    const userId = person('user_id', member.user_id);
    const isIn = member.left_at === null;
    if (isIn && (yield* countMemberships(userId)) >= MEMBERSHIPS_MAX)
      throw new Wrong(`this person is in ${MEMBERSHIPS_MAX} rooms here, and can be in no other one`);
    if (isIn) this.#count++;
    if (isIn && member.role === 'owner') this.#owners++;
    yield* this.#insert(userId, member);
  }

  /** Counts them, and makes a person of this server an owner. Throws `Wrong`, or a sentence. */
  *end(owner: string | undefined, now: number): Steps<void> {
    const { room, roomId } = this.#parts;
    if (this.#count !== room.members)
      throw new Wrong(`"members" is ${room.members}, and members.jsonl has ${this.#count}`);
    if (owner !== undefined) yield* this.#makeOwner(owner, now);
    else if (this.#owners === 0)
      throw new UnusableDatabaseError(
        'The room comes without an owner. Name a person of this server with --owner.',
      );
    if (this.#count > ROOM_MEMBERS_MAX)
      throw new UnusableDatabaseError(`A room has at most ${ROOM_MEMBERS_MAX} members.`);
    yield* run(sql`UPDATE rooms SET members = ${this.#count} WHERE id = ${roomId}`);
  }

  *#makeOwner(name: string, now: number): Steps<void> {
    const { roomId } = this.#parts;
    const person = yield* findPerson(name);
    if (!person) throw new UnusableDatabaseError(`There is no person ${JSON.stringify(name)} for --owner.`);
    const member = yield* first<{ leftAt: number | null }>(sql`
      SELECT left_at AS "leftAt" FROM members WHERE room_id = ${roomId} AND user_id = ${person.id}`);
    if (member?.leftAt !== null) this.#count++;
    const row = {
      role: 'owner',
      joined_at: now,
      left_at: null,
      silenced_until: null,
      banned_until: null,
    } as const;
    yield* run(sql`DELETE FROM members WHERE room_id = ${roomId} AND user_id = ${person.id}`);
    yield* this.#insert(person.id, row);
  }

  *#insert(userId: number, member: Omit<MemberRow, 'user_id' | 'room_id'>): Steps<void> {
    const { room, roomId } = this.#parts;
    const userSeq = member.left_at === null ? yield* nextUserSeq(userId) : 0;
    yield* run(sql`
      INSERT INTO members (room_id, user_id, role, joined_at, left_at, silenced_until, banned_until, read_seq,
        read_number, user_seq)
      VALUES (${roomId}, ${userId}, ${member.role}, ${member.joined_at}, ${member.left_at}, ${member.silenced_until},
        ${member.banned_until}, ${room.seq}, ${room.number}, ${userSeq})`);
  }
}

/**
 * What is behind every room: the consumers of its log are at its end, so that nobody is notified of what was imported.
 * The index of the search goes through it from the beginning.
 */
export function* endRoom(of: { roomId: number; seq: number; madeAt: string; now: number }): Steps<void> {
  const { roomId, seq, madeAt, now } = of;
  yield* run(sql`
    INSERT INTO followers (name, room_id, seq, changed_seq)
    SELECT name, ${roomId}, ${seq}, ${seq} FROM follower_leases WHERE name <> ${INDEXER}`);
  yield* addAudit({ action: 'room_imported', actorId: null, roomId, now, details: { exported: madeAt } });
}
