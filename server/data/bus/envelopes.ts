/**
 * What processes say to each other, as JSON, and the schemas that every payload is checked against. A process that is
 * newer or older, as during a rolling upgrade, may say more than this one understands: of an unknown version only the
 * numbers of logs are read.
 */
import { z } from 'zod';
import { extraSchema } from '../../../protocol/events.ts';
import { id, seq, shownReaction } from '../../../protocol/fields.ts';
import { noticeSchema } from '../../../protocol/notices.ts';
import { notifyReason } from '../../../protocol/notifications.ts';
import type { MessageRow } from '../storage/store.ts';
import type { NotifyNotice } from './bus.ts';

const VERSION = 1;
/** The last time that a `Date` can hold (ECMA-262 §21.4.1.1), in milliseconds. */
const TIME_MAX = 8.64e15;

const time = z.int().min(0).max(TIME_MAX);
const facts = z.object({
  revision: z.int().min(0),
  editedAt: time.nullable(),
  deletedAt: time.nullable(),
  deletedBy: id.nullable(),
  pinnedAt: time.nullable(),
  threadId: id.nullable(),
  extra: z.string().refine(isExtra).nullable(),
});

const message = z.object({
  id,
  roomId: id,
  seq: id,
  changedSeq: id,
  userId: id,
  username: z.string(),
  cid: z.string().nullable(),
  content: z.string(),
  createdAt: time,
  notice: z.string().refine(isNotice).nullable(),
  // An older process sends plain texts only.
  facts: facts.nullable().default(null),
  reaction: z.object({ emoji: shownReaction, userId: id, on: z.boolean(), count: seq }).exactOptional(),
  threadChanged: z.literal(true).exactOptional(),
}) satisfies z.ZodType<MessageRow>;

const typingEvent = z.tuple([id, z.string(), z.boolean()]);

/** What one process says to a room in one turn of its event loop. */
const roomEnvelope = z.object({
  /** The room's log has reached this number; 0: nothing was added. */
  head: seq,
  /** In the order of publishing; none where they would be too large. */
  events: z.array(z.union([message, typingEvent])).exactOptional(),
});
export type RoomEnvelope = z.infer<typeof roomEnvelope>;

/** Heads of rooms and their notices, for processes that do not have them open. */
const headsEnvelope = z.object({
  rooms: z.array(z.tuple([id, seq, z.array(message).exactOptional()])),
});
export interface HeadsEnvelope {
  rooms: [roomId: number, head: number, notices?: MessageRow[]][];
}

const notify = z.object({
  roomId: id,
  messageId: id,
  reason: notifyReason,
  title: z.string(),
  body: z.string(),
}) satisfies z.ZodType<NotifyNotice>;

const usersEnvelope = z.object({
  logs: z.array(z.tuple([id, seq])).exactOptional(),
  profiles: z.array(z.tuple([id, seq])).exactOptional(),
  notices: z.array(z.tuple([id, notify])).exactOptional(),
});
export type UsersEnvelope = z.infer<typeof usersEnvelope>;

const controlEnvelope = z.object({ revoked: z.array(id).exactOptional() });
export type ControlEnvelope = z.infer<typeof controlEnvelope>;

/** `whole`: of our version. `plain`: the part that every version has. */
interface Schemas<T> {
  whole: z.ZodType<T>;
  plain: z.ZodType<T>;
}

export const FOR_ROOM: Schemas<RoomEnvelope> = {
  whole: roomEnvelope,
  plain: roomEnvelope.pick({ head: true }),
};
export const FOR_HEADS: Schemas<HeadsEnvelope> = {
  whole: headsEnvelope,
  plain: z.object({ rooms: z.array(z.tuple([id, seq], z.unknown())) }).transform(plainHeads),
};
export const FOR_USERS: Schemas<UsersEnvelope> = {
  whole: usersEnvelope,
  plain: usersEnvelope.pick({ logs: true }),
};
export const FOR_CONTROL: Schemas<ControlEnvelope> = { whole: controlEnvelope, plain: controlEnvelope };

/** The process that says it, in every version; undefined: no process says this. */
export function senderOf(payload: string): string | undefined {
  return /^\{"v":\d{1,9},"from":"([^"\\]{1,64})"/.exec(payload)?.[1];
}

const version = z.object({ v: z.int().min(1) });

export class Envelopes<T extends object> {
  readonly #start: string;
  readonly #schemas: Schemas<T>;

  /** `from`: this process. */
  constructor(from: string, schemas: Schemas<T>) {
    this.#start = `{"v":${VERSION},"from":${JSON.stringify(from)},`;
    this.#schemas = schemas;
  }

  encode(envelope: T): string {
    return this.#start + JSON.stringify(envelope).slice(1);
  }

  /** Null: it is our own. Throws for what no process says. */
  decode(payload: string): T | null {
    if (payload.startsWith(this.#start)) return null;
    const envelope: unknown = JSON.parse(payload);
    const { whole, plain } = this.#schemas;
    return (version.parse(envelope).v === VERSION ? whole : plain).parse(envelope);
  }
}

/** Without the notices, which are read from the log then. */
export function plainHeads({ rooms }: { rooms: [number, number, ...unknown[]][] }): HeadsEnvelope {
  return { rooms: rooms.map(([roomId, head]) => [roomId, head]) };
}

function isNotice(json: string): boolean {
  return isJsonOf(noticeSchema, json);
}

function isExtra(json: string): boolean {
  return isJsonOf(extraSchema, json);
}

function isJsonOf(schema: z.ZodType, json: string): boolean {
  try {
    return schema.safeParse(JSON.parse(json)).success;
  } catch {
    return false;
  }
}
