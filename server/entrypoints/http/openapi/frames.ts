/** What each frame of the sockets is for, with an example. */

import { EXAMPLES } from '../../../../protocol/endpoints/examples.ts';
import type { ClientFrameV1, ServerFrameV1 } from '../../../../protocol/frames/v1.ts';
import type { ClientFrameV2, ServerFrameV2 } from '../../../../protocol/frames/v2.ts';

/** `summary`: one sentence without its full stop. */
export interface FrameDescription<F = { type: string }> {
  summary: string;
  example: F;
}

/** Every type of frame has a description; the compiler sees to it. */
type Described<F extends { type: string }> = { [T in F['type']]: FrameDescription<Extract<F, { type: T }>> };

const { TIME, MESSAGE, ROOT, ROOM, MEMBERSHIP, MUTED, PROFILE, EPOCH } = EXAMPLES;
const person = { user_id: 2, username: 'bob' };
const message = { ...MESSAGE, type: 'message' as const };
const room = { ...ROOM, kind: 'public' as const, me_role: 'member' as const };
const me = { ...MEMBERSHIP, role: 'member' as const };
const profile = { ...PROFILE, kind: 'person' as const, role: 'member' as const };
const last = { seq: 12, ...person, excerpt: 'Lunch?', created_at: TIME };
const entry = { room, me, seq: 12, number: 12, unread: 1, last };
const typing = { type: 'typing' as const, room_id: 7, ...person, is_typing: true };

export const CLIENT_V1: Described<ClientFrameV1> = {
  message: { summary: 'Posts a message', example: { type: 'message', content: 'Lunch?' } },
  typing: {
    summary: 'Says that you are typing, or stopped',
    example: { type: 'typing', is_typing: true },
  },
  ping: { summary: 'Requests a pong', example: { type: 'ping' } },
};

export const SERVER_V1: Described<ServerFrameV1> = {
  message: { summary: 'A new message, your own included', example: message },
  typing: { summary: 'Another user is typing, or stopped', example: typing },
  join: {
    summary: 'A user has entered the room; a new socket always receives its own join',
    example: { type: 'join', room_id: 7, ...person, online: 2 },
  },
  leave: {
    summary: 'The last socket of a user has left the room',
    example: { type: 'leave', room_id: 7, ...person, online: 1 },
  },
  pong: { summary: 'The response to a ping', example: { type: 'pong' } },
  error: {
    summary: 'A frame of yours was refused, and nothing was stored',
    example: { type: 'error', content: 'invalid frame' },
  },
};

export const CLIENT_V2: Described<ClientFrameV2> = {
  start: {
    summary: 'The first frame: what the client has',
    example: { type: 'start', epoch: EPOCH, user_seq: 4, rooms: { 7: 11 } },
  },
  open: {
    summary: 'Opens a room, and resumes it after a number',
    example: { type: 'open', room_id: 7, since: 11 },
  },
  close: { summary: 'Closes a room', example: { type: 'close', room_id: 7 } },
  here: { summary: 'Names the room in sight; null: none', example: { type: 'here', room_id: 7 } },
  message: {
    summary: 'Posts a message; a repeat with the same cid is stored once',
    example: { type: 'message', room_id: 7, content: 'Lunch?', cid: '5f0c1d' },
  },
  edit: {
    summary: 'Edits a message of your own',
    example: { type: 'edit', room_id: 7, id: 41, ref: 'e1', content: 'Lunch at noon?', base_revision: 0 },
  },
  delete: { summary: 'Deletes a message', example: { type: 'delete', room_id: 7, id: 41, ref: 'd1' } },
  react: {
    summary: 'Reacts to a message, or takes the reaction back',
    example: { type: 'react', room_id: 7, id: 41, ref: 'r1', emoji: '👍', on: true },
  },
  typing: {
    summary: 'Says that you are typing, or stopped',
    example: { type: 'typing', room_id: 7, is_typing: true },
  },
  read: {
    summary: 'Says how far you have read',
    example: { type: 'read', room_id: 7, seq: 12, known: 0 },
  },
  unread: { summary: 'Asks for the counts of rooms', example: { type: 'unread', room_ids: [7] } },
  watch: {
    summary: 'Names the people in sight, each with the version of the profile that you have',
    example: { type: 'watch', users: { 2: 1 } },
  },
  ping: { summary: 'Requests a pong', example: { type: 'ping', t: 1200 } },
};

const TICKET = { ticket: 'eyJhbGciOiJIUzI1NiJ9…', expires_in: 900 };

export const SERVER_V2: Described<ServerFrameV2> = {
  hello: {
    summary: 'The first frame: who you are, and the limits',
    example: {
      type: 'hello',
      protocol: 2,
      ...person,
      epoch: EPOCH,
      server_name: 'Acme',
      user_seq: 4,
      server_time: TIME,
      heartbeat_ms: 25_000,
      limits: {
        content: 4000,
        frame_bytes: 65_536,
        messages_per_second: 50,
        message_burst: 300,
        file_bytes: 104_857_600,
        files: 10,
      },
      return_ticket: TICKET,
    },
  },
  return_ticket: {
    summary: 'Opens the next socket, instead of the one before',
    example: { type: 'return_ticket', ...TICKET },
  },
  rooms: {
    summary: 'Rooms of your list, with their counts',
    example: { type: 'rooms', rooms: [entry], complete: true },
  },
  opened: {
    summary: 'The response to open',
    example: { type: 'opened', room_id: 7, seq: 12, room, online: 1, users: [person], resumed: true },
  },
  batch: {
    summary: 'Missed events, ascending',
    example: { type: 'batch', room_id: 7, events: [message] },
  },
  sync: {
    summary: 'Everything up to this number has been sent',
    example: { type: 'sync', room_id: 7, seq: 12 },
  },
  reset: {
    summary: 'The server cannot resume from your number: reload the history',
    example: { type: 'reset', room_id: 7, seq: 12 },
  },
  message: { summary: 'A new message, or a changed one as it is now', example: message },
  reaction: {
    summary: 'Somebody has reacted to a message, or has taken a reaction back',
    example: {
      type: 'reaction',
      room_id: 7,
      id: 41,
      changed_seq: 13,
      emoji: '👍',
      user_id: 2,
      on: true,
      count: 1,
    },
  },
  thread: {
    summary: 'A thread has changed',
    example: {
      type: 'thread',
      room_id: 7,
      id: 41,
      changed_seq: 13,
      thread: { ...ROOT.thread, people: [1] },
    },
  },
  typing: { summary: 'Another user is typing in the room in sight, or stopped', example: typing },
  presence: {
    summary: 'People came to the room in sight, or left it',
    example: { type: 'presence', room_id: 7, online: 2, joined: [person], left: [] },
  },
  head: {
    summary: 'What happened in a room that is not open',
    example: { type: 'head', room_id: 7, from: 11, seq: 12, number: 12, last, texts: [[12, 2]] },
  },
  room: { summary: 'A room is on your list now', example: { type: 'room', ...entry, user_seq: 5 } },
  gone: {
    summary: 'A room is not on your list any more',
    example: { type: 'gone', room_id: 7, reason: 'left', user_seq: 6 },
  },
  me: {
    summary: 'Your membership of a room has changed',
    example: { type: 'me', room_id: 7, me: { ...MUTED, role: 'member' }, user_seq: 7 },
  },
  inbox: {
    summary: 'An entry of your inbox, or its withdrawal',
    example: {
      type: 'inbox',
      room_id: 7,
      message_id: 41,
      seq: 12,
      reason: 'mention',
      created_at: TIME,
      user_seq: 8,
    },
  },
  saved: {
    summary: 'A bookmark of yours, or its removal',
    example: { type: 'saved', room_id: 7, message_id: 41, note: 'Answer this', user_seq: 9 },
  },
  thread_follow: {
    summary: 'Whether you follow a thread, and how far you have read it',
    example: {
      type: 'thread_follow',
      room_id: 7,
      thread_id: 41,
      following: true,
      read_seq: 13,
      user_seq: 10,
    },
  },
  notify: {
    summary: 'A message notifies you now',
    example: {
      type: 'notify',
      room_id: 7,
      message_id: 41,
      reason: 'mention',
      title: 'bob in kitchen',
      body: 'Lunch?',
    },
  },
  user: { summary: 'The profile of a person in sight', example: { type: 'user', user: profile } },
  people: {
    summary: 'People in sight came online or went offline',
    example: { type: 'people', online: [2], offline: [] },
  },
  ack: {
    summary: 'Your message is durable',
    example: { type: 'ack', room_id: 7, cid: '5f0c1d', id: 41, seq: 12, created_at: TIME },
  },
  changed: {
    summary: 'Your change is durable',
    example: { type: 'changed', room_id: 7, id: 41, ref: 'e1', changed_seq: 13 },
  },
  error: {
    summary: 'A frame of yours was refused, and nothing was stored',
    example: {
      type: 'error',
      room_id: 7,
      content: 'too fast, slow down',
      code: 'too_fast',
      cid: '5f0c1d',
      retryable: true,
      retry_after_ms: 400,
    },
  },
  pong: { summary: 'The response to a ping', example: { type: 'pong', t: 1200 } },
  restart: {
    summary: 'The server is about to restart: reconnect this long after the close',
    example: { type: 'restart', in_ms: 800 },
  },
};
