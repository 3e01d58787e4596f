/** What a text that is being written will do: whether it calls the whole room, and whom it cannot reach. */
import type { RoomInfo } from '../../../../client/index.ts';
import { ROOM_CALL_ASKS_FROM, ROOM_CALL_FREE_TO } from '../../../../protocol/limits.ts';
import { mayMention, type RoomMention, scanMentions } from '../../../../protocol/mentions.ts';
import type { RoomRole } from '../../../../protocol/rooms.ts';
import type { FoundPerson } from './found-people.ts';

/** The user in a room. `online`: people who are in it now. */
export interface CallFacts {
  readonly room: Pick<RoomInfo, 'kind' | 'members' | 'settings'>;
  readonly role: RoomRole;
  readonly isAdmin: boolean;
  readonly online: number;
}

/** Whether the server lets the user call all; as server/rules/room-access.ts decides it. */
export function mayCall({ room, role, isAdmin }: CallFacts): boolean {
  const least = room.settings.mention_room ?? (room.members > ROOM_CALL_FREE_TO ? 'moderator' : 'member');
  return least === 'member' || role !== 'member' || (isAdmin && room.kind === 'public');
}

export interface Call {
  readonly room: RoomMention;
  /** How many people it notifies, the author included. */
  readonly count: number;
  readonly isAllowed: boolean;
}

/** The call of the whole room in these texts; null when there is none. */
export function callOf(texts: readonly string[], facts: CallFacts): Call | null {
  const rooms = texts.map((text) => scanMentions(text).room);
  const room = rooms.find((each) => each === 'room') ?? rooms.find((each) => each !== null) ?? null;
  if (room === null) return null;
  return { room, count: room === 'room' ? facts.room.members : facts.online, isAllowed: mayCall(facts) };
}

/** Whether the author is asked first: it would interrupt many people. */
export function isLoud(call: Call | null): call is Call {
  return call?.isAllowed === true && call.count > ROOM_CALL_ASKS_FROM;
}

/** The people whom the text mentions, and who are known not to be members. */
export function outsidersIn(text: string, byKey: ReadonlyMap<string, FoundPerson>): readonly FoundPerson[] {
  if (!mayMention(text) || byKey.size === 0) return [];
  const people = scanMentions(text).names.map((keys) =>
    keys.map((key) => byKey.get(key)).find((person) => person),
  );
  return [...new Set(people)].filter((person) => person !== undefined).filter(({ isMember }) => !isMember);
}
