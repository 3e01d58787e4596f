/** The public face of the SDK: `import { ChatClient } from 'roomful/client'`. */

export type { HistoryPage, Message, Room as RoomInfo, User } from '../protocol/rest.ts';
export { ApiError, type ChatApi, type HistoryQuery } from './api.ts';
export { browserOptions, browserStorage } from './browser.ts';
export { ChatClient, type ChatClientOptions } from './chat-client.ts';
export type { Room, RoomEvents } from './chat-room.ts';
export type { Outcome } from './outbox.ts';
export { indexedDbOutbox } from './outbox-indexeddb.ts';
export { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox-store.ts';
export type { PendingMessage } from './pending.ts';
export type { Notice, Typist } from './people.ts';
export {
  indexOfSeq,
  isLive,
  lastSeq,
  type RoomSnapshot,
  type RoomState,
  snapshotOf,
} from './room.ts';
export { type Session, type SessionState, type SignOutReason, STORAGE_KEYS } from './session.ts';
export type { ConnectionState } from './socket.ts';
export { type KeyValueStorage, memoryStorage } from './storage.ts';
