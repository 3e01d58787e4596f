/** The public interface of the SDK: `import { ChatClient } from 'roomful-client'`. */

export type { AttachedFile } from '../protocol/attached-files.ts';
export type { ErrorCode } from '../protocol/errors.ts';
export type { Message, Person, Reactions, Thread } from '../protocol/events.ts';
export { filePath } from '../protocol/file-names.ts';
export type { GoneReason, ReadMark } from '../protocol/frames/v2.ts';
export { hueOf, ROOM_HUE_NAMES, ROOM_HUES, type RoomHue } from '../protocol/hues.ts';
export type { LinkPreview } from '../protocol/link-previews.ts';
export type { Notice as RoomNotice } from '../protocol/notices.ts';
export type { NotificationSettings, NotifyDecision, NotifyReason, Quiet } from '../protocol/notifications.ts';
export type { Profile } from '../protocol/people.ts';
export type { Ticket, User } from '../protocol/rest/accounts.ts';
export type {
  AdminUser,
  AdminUsersPage,
  AuditPage,
  CreatedServerInvite,
  DeletedRoom,
  Report,
  ReportsPage,
  ResetLink,
  Restricted,
  ServerSettings,
  Usage,
} from '../protocol/rest/administration.ts';
export type { ServerEmoji } from '../protocol/rest/emoji.ts';
export type { FileFamily, RoomFile, RoomFilesPage } from '../protocol/rest/files.ts';
export type {
  FlowPage,
  HistoryPage,
  ReactionsPage,
  RevisionsPage,
  SavedPage,
} from '../protocol/rest/messages.ts';
export type { InboxPage, Why, WhyDetail } from '../protocol/rest/notifications.ts';
export type {
  CreatedInvite,
  Invitation,
  Invite,
  MembersPage,
  Prefs,
  RoomPatch,
} from '../protocol/rest/rooms.ts';
export type { FollowedThreads, ThreadPage, ThreadPatch, ThreadsPage } from '../protocol/rest/threads.ts';
export type {
  LastText,
  Member,
  Membership,
  Room as RoomInfo,
  RoomEntry,
  RoomRole,
} from '../protocol/rooms.ts';
export {
  type AdminApi,
  adminApi,
  type DoorApi,
  doorApi,
  type ModerationApi,
  moderationApi,
  type RestrictionTerms,
} from './api/admin-api.ts';
export type { ChatApi, FlowQuery, HistoryQuery, RoomsQuery } from './api/api.ts';
export { ApiError } from './api/api-error.ts';
export { type EmojiApi, emojiApi } from './api/emoji-api.ts';
export { type FilesApi, filesApi, type MessageFile, type NewFile, toAttached } from './api/files-api.ts';
export { type MessagesApi, messagesApi } from './api/messages-api.ts';
export { type NotificationsApi, notificationsApi } from './api/notifications-api.ts';
export { type MePatch, type PeopleApi, peopleApi } from './api/people-api.ts';
export type { Requests } from './api/requests.ts';
export { type NewRoom, type OwnRooms, type RoomsApi, roomsApi } from './api/rooms-api.ts';
export { type SearchApi, searchApi } from './api/search-api.ts';
export { type ThreadsApi, threadsApi } from './api/threads-api.ts';
export { type BrowserWindow, browserOptions, browserStorage } from './browser.ts';
export { type Change, changeKey, type Wanted, withChanges } from './changes/change.ts';
export { Changes, type ChangesOptions } from './changes/changes.ts';
export type { ChangeFrame, ChangesLine, ChangesLineEvents } from './changes/changes-line.ts';
export { type ChangesStore, indexedDbChanges, memoryChanges } from './changes/changes-store.ts';
export { ChatClient, type ChatClientOptions } from './chat-client.ts';
export { type Cancel, type Clock, systemClock } from './clock.ts';
export type { CloseReason, ConnectionState, WaitReason } from './connection/connection-state.ts';
export {
  browserSignals,
  type HostSignal,
  type HostSignals,
  type SignalEvents,
} from './connection/host-signals.ts';
export type { WebSocketConstructor, WebSocketLike } from './connection/web-socket.ts';
export type { NotificationEvents, Notifications } from './notification-events.ts';
export type { Answers } from './outbox/answers.ts';
export type { OutboxFile } from './outbox/outbox-files.ts';
export { indexedDbOutbox } from './outbox/outbox-indexeddb.ts';
export { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox/outbox-store.ts';
export { OTHER_DATABASE, type Outcome, type Receipt } from './outbox/outcome.ts';
export type { UnsentFiles } from './outbox/unsent-files.ts';
export type { Profiles, ProfilesState } from './people/profiles.ts';
export type { Delta } from './room/deltas.ts';
export type { JumpPlace } from './room/jump-reader.ts';
export type { Direction } from './room/jump-steps.ts';
export type { PendingMessage } from './room/pending.ts';
export type { Notice, People, PresenceChange, Typist } from './room/people.ts';
export { findQuoted } from './room/quotes.ts';
export type { Room } from './room/room.ts';
export type { LogNews, RoomEvents } from './room/room-listeners.ts';
export {
  indexOfSeq,
  isLive,
  type Jump,
  lastSeq,
  type RoomSnapshot,
  type RoomState,
  type Segment,
  snapshotOf,
  type Target,
} from './room/room-state.ts';
export type { Stream } from './room/stream.ts';
export { Thread as RoomThread, type ThreadOptions } from './room/thread.ts';
export type { ThreadState } from './room/thread-state.ts';
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
export type { FileLimits } from './uploads/file-limits.ts';
export type { FileLook, Upload, UploadsOptions } from './uploads/upload.ts';
export type { UploadRefusal } from './uploads/upload-steps.ts';
export { Uploads } from './uploads/uploads.ts';
export {
  indexedDbUploads,
  memoryUploads,
  type StoredUpload,
  type UploadBytes,
  type UploadsStore,
} from './uploads/uploads-store.ts';
