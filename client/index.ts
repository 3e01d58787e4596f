/** The public face of the SDK: `import { ChatClient } from 'roomful/client'`. */

export type { ErrorCode } from '../protocol/errors.ts';
export type { Person } from '../protocol/frames.ts';
export type { HistoryPage, Message, Room as RoomInfo, User } from '../protocol/rest.ts';
export { ApiError, type ChatApi, type HistoryQuery } from './api.ts';
export { type BrowserWindow, browserOptions, browserStorage } from './browser.ts';
export { ChatClient, type ChatClientOptions } from './chat-client.ts';
export type { Room } from './chat-room.ts';
export type { Cancel, Clock } from './clock.ts';
export type { HostSignal, HostSignals } from './host-signals.ts';
export type { Outcome, Receipt } from './outbox.ts';
export { indexedDbOutbox } from './outbox-indexeddb.ts';
export { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox-store.ts';
export type { PendingMessage } from './pending.ts';
export type { Notice, PresenceChange, Typist } from './people.ts';
export type { RoomEvents } from './room-listeners.ts';
export {
  indexOfSeq,
  isLive,
  lastSeq,
  type RoomSnapshot,
  type RoomState,
  snapshotOf,
} from './room-state.ts';
export type { Session, SessionState, SignOutReason, StorageEvents } from './session.ts';
export type { CloseReason, ConnectionState, WebSocketConstructor, WebSocketLike } from './socket.ts';
export { type KeyValueStorage, memoryStorage } from './storage.ts';
export { STORAGE_KEYS } from './stored-session.ts';
export type { Stream } from './stream.ts';
export type { Locks } from './token-refresh.ts';
