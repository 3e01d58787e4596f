/**
 * The frames of `chatroom.v2`: one socket for all rooms of a user. A room that the client opens comes whole, resumed
 * and without gaps; of every other room that the user is a member of come its head and its counts.
 */
import { z } from 'zod';
import { fileKeys } from '../attached-files.ts';
import { messageSchema, personSchema, reactionSchema, threadChangeSchema } from '../events.ts';
import { count, fileMessageContent, id, reaction, seq } from '../fields.ts';
import { PING_TEXT_MAX, UNREAD_ROOMS_MAX, WATCHED_USERS_MAX } from '../limits.ts';
import { notifyReason } from '../notifications.ts';
import { profileSchema } from '../people.ts';
import { ticketResponse } from '../rest/accounts.ts';
import { editBody } from '../rest/messages.ts';
import { lastSchema, membershipSchema, roomEntry, roomSchema } from '../rooms.ts';
import { isCid } from '../text.ts';

/** The pong returns it unchanged, so that the sender can measure the round trip. */
const pingTime = z.union([z.number(), z.string().max(PING_TEXT_MAX)]);
const cid = z.string().refine(isCid);
/** Keys of a JSON object are text. */
const idKey = z.string().regex(/^[1-9][0-9]{0,15}$/);

/**
 * How far the user has read. `known`: the `read_set` of the membership that the mark was made from; the mark is ignored
 * when another one was set since. Without `unread` the mark only rises. With `unread` it is set: everything after `seq`
 * is unread.
 */
export const readMark = z.object({ room_id: id, seq, known: seq, unread: z.literal(true).optional() });

/** A change of a message. `ref`: the client's own id for the change, which the response repeats. */
const change = z.object({ room_id: id, id, ref: cid });

/** The most entries of a user's memberships and direct conversations. */
const MAX_ROOMS = 2000;

export const clientFrameV2 = z.discriminatedUnion('type', [
  /**
   * The first frame, sent at once. `epoch`, `user_seq` and `rooms` (the heads that the client knows): what it has. None
   * of them: it has nothing. `read`: marks that were never confirmed.
   */
  z.object({
    type: z.literal('start'),
    epoch: z.string().max(64).optional(),
    user_seq: seq.optional(),
    rooms: z
      .record(idKey, seq)
      .refine((rooms) => Object.keys(rooms).length <= MAX_ROOMS)
      .optional(),
    read: z.array(readMark).max(MAX_ROOMS).optional(),
  }),
  /** `since`: resume after this number, of the epoch that `start` named. */
  z.object({ type: z.literal('open'), room_id: id, since: seq.optional() }),
  z.object({ type: z.literal('close'), room_id: id }),
  /** The room in sight: the user is in it. Null: none. */
  z.object({ type: z.literal('here'), room_id: id.nullable() }),
  /**
   * `reply_to`: a message of this room that it answers. `thread_id`: the root of the thread. `files`: uploads of the user
   * to this room, which are complete. The last two need a `cid`; with files, `content` may be empty.
   */
  z
    .object({
      type: z.literal('message'),
      room_id: id,
      content: fileMessageContent,
      cid: cid.optional(),
      reply_to: id.optional(),
      thread_id: id.optional(),
      files: fileKeys.optional(),
    })
    .refine(({ content, files }) => content !== '' || files !== undefined, { path: ['content'] })
    .refine(({ thread_id, files, cid }) => (thread_id ?? files) === undefined || cid !== undefined),
  /** These three do what the requests do that change a message; `changed` or `error` responds to each. */
  change.extend({ type: z.literal('edit'), ...editBody.shape }),
  change.extend({ type: z.literal('delete') }),
  change.extend({ type: z.literal('react'), emoji: reaction, on: z.boolean() }),
  z.object({ type: z.literal('typing'), room_id: id, is_typing: z.boolean() }),
  readMark.extend({ type: z.literal('read') }),
  /** Asks for the counts of these rooms; a `rooms` frame responds. */
  z.object({ type: z.literal('unread'), room_ids: z.array(id).max(UNREAD_ROOMS_MAX) }),
  /** The people in sight, each with the version of their profile that the client has. Replaces the list before. */
  z.object({
    type: z.literal('watch'),
    users: z.record(idKey, count).refine((users) => Object.keys(users).length <= WATCHED_USERS_MAX),
  }),
  z.object({ type: z.literal('ping'), t: pingTime.optional() }),
]);

/** A text of a room that is not open: its number, and its author. */
const brief = z.tuple([seq, id]);

/**
 * Why a room is gone from the list, or from the user's sight. `left`: by the user. `removed`: by somebody else.
 * `made_private`, `no_access`: a room that the user had open without being a member, and may not read any more.
 */
export const goneReason = z.enum(['left', 'removed', 'hidden', 'deleted', 'made_private', 'no_access']);

export const serverFrameV2 = z.discriminatedUnion('type', [
  /** Always the first frame. */
  z.object({
    type: z.literal('hello'),
    protocol: z.literal(2),
    user_id: id,
    username: z.string(),
    /** Identifies the database's history; another epoch means that history was restored or reset. */
    epoch: z.string(),
    user_seq: seq,
    server_time: z.string(),
    heartbeat_ms: count,
    /** Absent from servers that have no name of their own. */
    server_name: z.string().optional(),
    /** Another text whenever the emoji of the server have changed; absent where there are none. */
    emoji: z.string().optional(),
    /** Opens the next socket; absent where the client is to request a ticket. */
    return_ticket: ticketResponse.optional(),
    /** Zero in either rate: no limit. */
    limits: z.object({
      content: count,
      frame_bytes: count,
      messages_per_second: count,
      message_burst: count,
      /** The most bytes of a file, and the most files of a message; absent from servers that take none. */
      file_bytes: count.optional(),
      files: count.optional(),
      /** Links of a message that get previews, in rooms that want them; absent from servers that make none. */
      link_previews: count.optional(),
    }),
  }),
  /** Replaces the one of `hello`. */
  ticketResponse.extend({ type: z.literal('return_ticket') }),
  /**
   * `complete`: these are all rooms of the user. Otherwise these have changed, and the others are as they were. A long
   * list comes in several frames: with `more`, the next complete frame has further rooms of the same list.
   */
  z.object({
    type: z.literal('rooms'),
    rooms: z.array(roomEntry),
    complete: z.boolean(),
    more: z.literal(true).optional(),
  }),

  /**
   * The response to `open`. `resumed`: the missed events follow in batches, and `sync`. Without it, after a `since`,
   * `reset` follows; without `since`, live events follow from `seq` + 1. `users`: 200 at most.
   */
  z.object({
    type: z.literal('opened'),
    room_id: id,
    seq,
    room: roomSchema,
    online: count,
    users: z.array(personSchema),
    resumed: z.boolean(),
  }),
  /** Missed events, ascending. Numbers that later events superseded may be left out. */
  z.object({ type: z.literal('batch'), room_id: id, events: z.array(messageSchema) }),
  /** Everything up to `seq` has been sent; live events follow from `seq` + 1. */
  z.object({ type: z.literal('sync'), room_id: id, seq }),
  /** The requested position is not available: reload history. Live events follow from `seq` + 1. */
  z.object({ type: z.literal('reset'), room_id: id, seq }),
  /** A new message, or one that has changed, as it is now. */
  messageSchema,
  reactionSchema,
  threadChangeSchema,

  z.object({
    type: z.literal('typing'),
    room_id: id,
    user_id: id,
    username: z.string(),
    is_typing: z.boolean(),
  }),
  /** Changes of the people in the room in sight. `users`: all of them, 200 at most, instead of changes. */
  z.object({
    type: z.literal('presence'),
    room_id: id,
    online: count,
    joined: z.array(personSchema),
    left: z.array(personSchema),
    users: z.array(personSchema).optional(),
  }),

  /**
   * What happened after `from` in a room that is not open. `texts`: the texts since then; absent when there were too
   * many, and the client may ask for the counts. `gone`: texts that are no longer there.
   */
  z.object({
    type: z.literal('head'),
    room_id: id,
    from: seq,
    seq,
    number: count,
    room: roomSchema.optional(),
    last: lastSchema.nullable().optional(),
    texts: z.array(brief).optional(),
    gone: z.array(brief).optional(),
  }),

  /**
   * The user's own log: a room that the user is in now, one left, and a changed membership. Nothing is missed, and the
   * numbers ascend. Some are skipped: a later change has superseded that one, or it has no frame.
   */
  roomEntry.extend({ type: z.literal('room'), user_seq: seq }),
  z.object({ type: z.literal('gone'), room_id: id, reason: goneReason, user_seq: seq }),
  z.object({ type: z.literal('me'), room_id: id, me: membershipSchema, user_seq: seq }),
  /** An entry of the user's inbox; `removed`: it was withdrawn, as its message was deleted or does not mention them. */
  z.object({
    type: z.literal('inbox'),
    room_id: id,
    message_id: id,
    seq,
    reason: notifyReason,
    thread_id: id.optional(),
    created_at: z.string(),
    /** The user has read the thread up to there. Only of a reply in a thread. */
    read: z.literal(true).optional(),
    removed: z.literal(true).optional(),
    user_seq: seq,
  }),
  /** A bookmark. */
  z.object({
    type: z.literal('saved'),
    room_id: id,
    message_id: id,
    note: z.string(),
    removed: z.literal(true).optional(),
    user_seq: seq,
  }),
  /** Whether the user follows a thread, and how far they have read it. */
  z.object({
    type: z.literal('thread_follow'),
    room_id: id,
    thread_id: id,
    following: z.boolean(),
    read_seq: seq,
    user_seq: seq,
  }),

  /**
   * A message notifies the user. It is sent once, to all their sockets, and may be lost: what is durable
   * is the inbox, and the counts. `title` and `body`: as text; an empty body hides the text.
   */
  z.object({
    type: z.literal('notify'),
    room_id: id,
    message_id: id,
    reason: notifyReason,
    title: z.string(),
    body: z.string(),
  }),

  /** The profile of a watched person has changed. */
  z.object({ type: z.literal('user'), user: profileSchema }),
  /** Watched people who came online and went offline. */
  z.object({ type: z.literal('people'), online: z.array(id), offline: z.array(id) }),

  /** The message is durable. `duplicate`: the cid was used before; these are the first message's numbers. */
  z.object({
    type: z.literal('ack'),
    room_id: id,
    cid: z.string(),
    id,
    seq,
    created_at: z.string(),
    duplicate: z.boolean().optional(),
  }),
  /**
   * The change is durable, or was there already. `changed_seq`: the number of the message's latest change; its event
   * has come or follows, where the room is open.
   */
  z.object({ type: z.literal('changed'), room_id: id, id, ref: z.string(), changed_seq: seq }),
  z.object({
    type: z.literal('error'),
    room_id: id.optional(),
    content: z.string(),
    code: z.string(),
    cid: z.string().optional(),
    ref: z.string().optional(),
    retryable: z.boolean(),
    retry_after_ms: count.optional(),
  }),
  z.object({ type: z.literal('pong'), t: pingTime.optional() }),
  /** The server is about to restart; reconnect this long after the close. */
  z.object({ type: z.literal('restart'), in_ms: count }),
]);

export type ClientFrameV2 = z.infer<typeof clientFrameV2>;
export type ServerFrameV2 = z.infer<typeof serverFrameV2>;
export type GoneReason = z.infer<typeof goneReason>;
export type ReadMark = z.infer<typeof readMark>;
