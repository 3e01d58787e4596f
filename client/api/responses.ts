/** Type guards for the responses of the REST interface. */
import type { Message } from '../../protocol/events.ts';
import type { LoginResponse, Ticket, Tokens, User } from '../../protocol/rest/accounts.ts';
import type { FlowPage, HistoryPage } from '../../protocol/rest/messages.ts';
import type { Room } from '../../protocol/rooms.ts';
import { is, isFlag, isNatural, isText, listOf, oneOf, optional, record, some } from './checks.ts';

export const isUser = record<User>({ id: isNatural, username: isText });

const tokens = { access_token: isText, refresh_token: isText, expires_in: isNatural };
export const isTokens = record<Tokens>(tokens);
export const isLoginResponse = record<LoginResponse>({ ...tokens, user: isUser });

export const isRoom = some<Room>({
  id: isNatural,
  kind: oneOf('public', 'private', 'dm'),
  name: isText,
  online: isNatural,
  seq: isNatural,
});
export interface RoomsPage {
  rooms: Room[];
  /** The list was cut at the size of a page. */
  has_more?: boolean | undefined;
}
export const isRoomsResponse = record<RoomsPage>({
  rooms: listOf(isRoom),
  has_more: optional(isFlag),
});

export const isMessage = some<Message>({
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
});
const page = { messages: listOf(isMessage), has_more: isFlag, epoch: isText, seq: isNatural };
export const isHistoryPage = record<HistoryPage>(page);
export const isFlowPage = some<FlowPage>({
  ...page,
  has_more_after: isFlag,
  target: optional(some<{ id: number }>({ id: isNatural })),
});

export const isTicket = record<Ticket>({ ticket: isText, expires_in: isNatural });
export const isErrorResponse = some<{ error: string; reason?: string }>({ error: isText });
