/** Type guards for the responses of the REST interface. */
import type { Message, Person } from '../../protocol/events.ts';
import type { Notice } from '../../protocol/notices.ts';
import type { LoginResponse, Ticket, Tokens, User } from '../../protocol/rest/accounts.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { Room, RoomFacts, RoomSettings } from '../../protocol/rooms.ts';
import {
  either,
  is,
  isFlag,
  isNatural,
  isText,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
} from './checks.ts';

export const isUser = record<User>({ id: isNatural, username: isText });

const tokens = { access_token: isText, refresh_token: isText, expires_in: isNatural };
export const isTokens = record<Tokens>(tokens);
export const isLoginResponse = record<LoginResponse>({ ...tokens, user: isUser });

type RoomPerson = NonNullable<Room['people']>[number];

const isRoomRole = oneOf('owner', 'moderator', 'member');
const facts = {
  kind: oneOf('public', 'private', 'dm'),
  name: isText,
  topic: isText,
  description: isText,
  emoji: nullable(isText),
  archived: isFlag,
  settings: record<RoomSettings>({ invite: optional(oneOf('member', 'moderator')) }),
};

export const isRoom = record<Room>({
  ...facts,
  id: isNatural,
  online: isNatural,
  seq: isNatural,
  number: isNatural,
  members: isNatural,
  me_role: optional(isRoomRole),
  people: optional(
    listOf(record<RoomPerson>({ user_id: isNatural, username: isText, display_name: isText })),
  ),
});
export const isRoomsResponse = record<{ rooms: Room[] }>({ rooms: listOf(isRoom) });

type RoomNotice = Extract<Notice, { room: RoomFacts }>;
type MemberNotice = Exclude<Notice, RoomNotice>;

const by = record<Person>({ user_id: isNatural, username: isText });
const isRoomNotice = record<RoomNotice>({
  kind: oneOf(
    ...(['renamed', 'topic', 'description', 'emoji', 'made_private', 'archived', 'restored'] as const),
    'settings',
  ),
  by,
  room: record<RoomFacts>(facts),
});
const isMemberNotice = record<MemberNotice>({
  kind: oneOf('joined', 'left', 'added', 'removed', 'role'),
  by,
  member: record<MemberNotice['member']>({
    user_id: isNatural,
    username: isText,
    role: nullable(isRoomRole),
  }),
});

export const isMessage = record<Message>({
  type: is('message'),
  id: isNatural,
  room_id: isNatural,
  user_id: isNatural,
  username: isText,
  content: isText,
  created_at: isText,
  seq: isNatural,
  cid: optional(isText),
  changed_seq: optional(isNatural),
  notice: optional(either(isRoomNotice, isMemberNotice)),
});
export const isHistoryPage = record<HistoryPage>({
  messages: listOf(isMessage),
  has_more: isFlag,
  epoch: isText,
  seq: isNatural,
});

export const isTicket = record<Ticket>({ ticket: isText, expires_in: isNatural });
export const isErrorResponse = record<{ error: string }>({ error: isText });
