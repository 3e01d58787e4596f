/** The public interface of the SDK: `import { ChatClient } from 'roomful-client'`. */

export type { ErrorCode } from '../protocol/errors.ts';
export type { Message, Person } from '../protocol/events.ts';
export type { LastText, ReadMark, RoomEntry } from '../protocol/frames/v2.ts';
export type { Notice as RoomNotice } from '../protocol/notices.ts';
export type { Profile } from '../protocol/people.ts';
export type { Ticket, User } from '../protocol/rest/accounts.ts';
export type { HistoryPage } from '../protocol/rest/messages.ts';
export type {
  CreatedInvite,
  Invitation,
  Invite,
  MembersPage,
  Prefs,
  RoomPatch,
} from '../protocol/rest/rooms.ts';
export type { Member, Membership, Room as RoomInfo, RoomRole } from '../protocol/rooms.ts';
export type { ChatApi, HistoryQuery, Requests, RoomsQuery } from './api/api.ts';
export { ApiError } from './api/api-error.ts';
export { type MePatch, type PeopleApi, peopleApi } from './api/people-api.ts';
export { type NewRoom, type OwnRooms, type RoomsApi, roomsApi } from './api/rooms-api.ts';
export { type BrowserWindow, browserOptions, browserStorage } from './browser.ts';
export { ChatClient, type ChatClientOptions } from './chat-client.ts';
export type { Cancel, Clock } from './clock.ts';
export type { CloseReason, ConnectionState, WaitReason } from './connection/connection-state.ts';
export type { HostSignal, HostSignals, SignalEvents } from './connection/host-signals.ts';
export type { WebSocketConstructor, WebSocketLike } from './connection/web-socket.ts';
export { indexedDbOutbox } from './outbox/outbox-indexeddb.ts';
export { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox/outbox-store.ts';
export { OTHER_DATABASE, type Outcome, type Receipt } from './outbox/outcome.ts';
export type { Profiles, ProfilesState } from './people/profiles.ts';
export type { PendingMessage } from './room/pending.ts';
export type { Notice, People, PresenceChange, Typist } from './room/people.ts';
export type { Room } from './room/room.ts';
export type { RoomEvents } from './room/room-listeners.ts';
export {
  indexOfSeq,
  isLive,
  lastSeq,
  type RoomSnapshot,
  type RoomState,
  snapshotOf,
} from './room/room-state.ts';
export type { Stream } from './room/stream.ts';
export type { HeldMark } from './rooms/held-mark.ts';
export type { RoomList } from './rooms/room-list.ts';
export {
  isListCurrent,
  type ListedRoom,
  type RoomsSnapshot,
  type RoomsState,
  roomsSnapshotOf,
} from './rooms/rooms-state.ts';
export type { Session, SessionState, SignOutReason, StorageEvents } from './session/session.ts';
export { type KeyValueStorage, memoryStorage } from './session/storage.ts';
export { STORAGE_KEYS } from './session/stored-session.ts';
export type { Locks } from './session/token-refresh.ts';
