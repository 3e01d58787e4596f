/**
 * What Roomful keeps, and what it promises about keeping it. Every adapter holds all of this.
 *
 * - A write's promise resolves only after the write is durable: it survives the death of the process and of the
 *   machine. An outcome other than success has changed nothing.
 * - The writes of a room take effect in the order of the calls and resolve in that order. Its ids ascend with its seqs.
 *   Nothing is promised about the order of writes of different rooms, nor of their ids.
 * - A write that rejects changed nothing, and may be repeated when it rejects with `service_unavailable`. When the
 *   outcome of a commit is not known, an adapter finds out before the promise settles; where only the next start can
 *   find out, it calls `onFatal`, and the process must end. The exception is an append with a cid on PostgreSQL: it
 *   rejects after 5 s although it may have been stored, because its repeat is stored once only.
 * - A read sees every write that resolved before the read was called.
 *
 * The operations stand in `store/`, one file for each subject. An operation is declared there once: the types of its
 * argument and its result, the store's method and the worker's messages derive from that. An adapter implements it in
 * one place, `queries/`; the simulation runs the same statements (`tests/simulation/disk.ts`).
 */
import type { AdministrationReads, AdministrationWrites } from './store/administration.ts';
import type { ConsumerReads, ConsumerWrites } from './store/consumers.ts';
import type { EmojiReads, EmojiWrites } from './store/emoji.ts';
import type { FileReads, FileWrites } from './store/files.ts';
import type { HeadReads } from './store/heads.ts';
import type { InviteReads, InviteWrites } from './store/invites.ts';
import type { MemberReads, MemberWrites } from './store/members.ts';
import type { MessageChangeReads, MessageChangeWrites } from './store/message-changes.ts';
import type { MessageReads, MessageWrites } from './store/messages.ts';
import type { NotificationReads, NotificationWrites } from './store/notifications.ts';
import type { Promised } from './store/operation.ts';
import type { PeopleReads, PeopleWrites } from './store/people.ts';
import type { PreviewReads, PreviewWrites } from './store/previews.ts';
import type { PushReads, PushWrites } from './store/push.ts';
import type { RegistrationReads, RegistrationWrites } from './store/registrations.ts';
import type { RemovalReads, RemovalWrites } from './store/removal.ts';
import type { RetentionReads, RetentionWrites } from './store/retention.ts';
import type { RoomReads, RoomWrites } from './store/rooms.ts';
import type { SearchReads } from './store/search.ts';
import type { SignInLinkReads, SignInLinkWrites } from './store/sign-in-links.ts';
import type { ThreadReads, ThreadWrites } from './store/threads.ts';
import type { TurnWrites } from './store/turns.ts';
import type { UserReads, UserWrites } from './store/users.ts';

export type * from '../../rules/rows.ts';
export type * from './store/administration.ts';
export type * from './store/consumers.ts';
export type * from './store/emoji.ts';
export type * from './store/files.ts';
export type * from './store/heads.ts';
export type * from './store/invites.ts';
export type * from './store/members.ts';
export type * from './store/message-changes.ts';
export type * from './store/messages.ts';
export type * from './store/notifications.ts';
export type * from './store/people.ts';
export type * from './store/previews.ts';
export type * from './store/push.ts';
export type * from './store/reader.ts';
export type * from './store/registrations.ts';
export type * from './store/removal.ts';
export type * from './store/retention.ts';
export type * from './store/room-changes.ts';
export type * from './store/rooms.ts';
export type * from './store/search.ts';
export type * from './store/sign-in-links.ts';
export type * from './store/threads.ts';
export type * from './store/turns.ts';
export type * from './store/user-change.ts';
export type * from './store/users.ts';

/** Each runs whole in one transaction. */
export interface Writes
  extends UserWrites,
    PeopleWrites,
    RoomWrites,
    MemberWrites,
    InviteWrites,
    PushWrites,
    MessageWrites,
    MessageChangeWrites,
    ThreadWrites,
    ConsumerWrites,
    NotificationWrites,
    AdministrationWrites,
    SignInLinkWrites,
    RemovalWrites,
    RegistrationWrites,
    RetentionWrites,
    FileWrites,
    EmojiWrites,
    PreviewWrites,
    TurnWrites {}

/** Each runs on one snapshot, unless it says otherwise. */
export interface Reads
  extends UserReads,
    PeopleReads,
    RoomReads,
    MemberReads,
    InviteReads,
    PushReads,
    MessageReads,
    MessageChangeReads,
    ThreadReads,
    ConsumerReads,
    NotificationReads,
    AdministrationReads,
    SignInLinkReads,
    RemovalReads,
    RegistrationReads,
    RetentionReads,
    FileReads,
    EmojiReads,
    PreviewReads,
    SearchReads,
    HeadReads {}

export interface Store extends Promised<Writes>, Promised<Reads> {
  /**
   * Forgets what has expired before `now`: spent tickets, refresh tokens, sessions, invitations, addresses of
   * registrations. Others' writes go on
   * meanwhile.
   */
  purge(before: { now: number }): Promise<void>;
  /** Rejects when the database cannot take a write now. */
  check(): Promise<void>;
  /** Finishes what was accepted, then closes; later calls are refused. May be called again. */
  close(): Promise<void>;
}
