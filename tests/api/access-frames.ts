/** The frames of the access matrix: what somebody asks for over a line, and what comes of it. */
import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { eventually } from '../support/eventually.ts';
import { post } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { Login } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** A cell of the matrix, and the words of a refusal. */
export interface Outcome {
  cell: string;
  words?: string;
}

/** Newer than any mark that was set. */
const KNOWN = 1_000_000_000;
const DONE: Outcome = { cell: '200' };
const SILENT: Outcome = { cell: 'silent' };

export interface FrameScene {
  server: ServerProcess;
  login: Login;
  roomId: number;
  /** Resolves with the id of a text that somebody else has posted there. */
  message(): Promise<number>;
  /** Is in every room. */
  witness: Login;
  /** A room that this user is alone in. */
  ownRoom(): Promise<number>;
}

/** One frame about a room, on a line of its own. */
type Play = (line: LineClient, scene: FrameScene) => Promise<Outcome>;

const PLAYS = {
  'open it on a line': (line, { roomId }) => ask(line, { type: 'open', room_id: roomId }, 'opened'),

  'have it in sight on a line': async (line, { roomId }) => {
    line.send({ type: 'open', room_id: roomId });
    return await ask(line, { type: 'here', room_id: roomId }, 'presence');
  },

  'close it on a line': async (line, { roomId }) => {
    line.send({ type: 'close', room_id: roomId });
    await line.settle();
    return refusalIn(line) ?? SILENT;
  },

  /** `200`: the others see it. */
  'type on a line': async (line, { server, login, roomId, witness }) => {
    const other = await LineClient.start(server, witness);
    await other.look(roomId);
    const opened = await ask(line, { type: 'open', room_id: roomId }, 'opened');
    line.send({ type: 'typing', room_id: roomId, is_typing: true });
    await line.settle();
    const isShown = await showsTyping(other, login);
    await other.close();
    if (opened !== DONE) return isShown ? { cell: 'shown, and not opened' } : opened;
    return isShown ? DONE : (refusalIn(line) ?? SILENT);
  },

  /** `200`: the membership has the mark. */
  'mark it unread on a line': async (line, { roomId, ownRoom }) => {
    const own = await ownRoom();
    // Marks are written in the order in which they come.
    for (const room_id of [roomId, own])
      line.send({ type: 'read', room_id, seq: 0, known: KNOWN, unread: true });
    await line.waitFor('me', ({ room_id }) => room_id === own);
    const isMarked = line.of('me').some(({ room_id }) => room_id === roomId);
    return refusalIn(line) ?? (isMarked ? DONE : SILENT);
  },

  /** `200`: the response has it. */
  'count it on a line': async (line, { roomId }) => {
    const from = line.mark();
    line.send({ type: 'unread', room_ids: [roomId] });
    const { rooms } = await line.waitFor('rooms', () => true, from);
    return rooms.some(({ room }) => room.id === roomId) ? DONE : SILENT;
  },

  /** `200`: it is among the rooms that differ. */
  'name it at the start of a line': async (line, { server, login, roomId }) => {
    const { epoch, user_seq } = line.hello;
    const known = { epoch, user_seq, rooms: { [roomId]: 1_000_000 } };
    const other = await LineClient.start(server, login, { start: known });
    const isTold = other.knowsRoom(roomId);
    await other.close();
    return isTold ? DONE : SILENT;
  },

  /** `200`: the membership has the mark. */
  'mark it at the start of a line': async (_line, { server, login, roomId, ownRoom }) => {
    const own = await ownRoom();
    const read = [roomId, own].map((room_id) => ({ room_id, seq: 0, known: KNOWN, unread: true as const }));
    const other = await LineClient.start(server, login, { start: { read } });
    await other.waitFor('me', ({ room_id }) => room_id === own);
    const isMarked = other.of('me').some(({ room_id }) => room_id === roomId);
    const refused = refusalIn(other);
    await other.close();
    return refused ?? (isMarked ? DONE : SILENT);
  },

  /** `200`: the others see it. */
  'type on chatroom.v1': (_line, { server, login, roomId, witness }) =>
    onV1(server, login, roomId, async (client) => {
      const other = await LineClient.start(server, witness);
      await other.look(roomId);
      client.send({ type: 'typing', is_typing: true });
      await client.settle();
      const isShown = await showsTyping(other, login);
      await other.close();
      return isShown ? DONE : SILENT;
    }),

  'post on chatroom.v1': (_line, { server, login, roomId }) =>
    onV1(server, login, roomId, async (client) => {
      client.send({ type: 'message', content: 'hello' });
      await client.until('a response', () => client.of('message')[0] ?? client.of('error')[0]);
      return DONE;
    }),

  'post on a line': (line, { roomId }) =>
    ask(line, { type: 'message', room_id: roomId, content: 'hello', cid: 'first' }, 'ack'),

  'edit a text on a line': async (line, { roomId, message }) =>
    ask(
      line,
      { ...change(roomId, await message()), type: 'edit', content: 'changed', base_revision: 0 },
      'changed',
    ),

  'delete a text on a line': async (line, { roomId, message }) =>
    ask(line, { ...change(roomId, await message()), type: 'delete' }, 'changed'),

  'react on a line': async (line, { roomId, message }) =>
    ask(line, { ...change(roomId, await message()), type: 'react', emoji: '🦊', on: true }, 'changed'),
} satisfies Record<string, Play>;

export type FrameName = keyof typeof PLAYS;
export const FRAME_NAMES = Object.keys(PLAYS) as FrameName[];

export async function playFrame(name: FrameName, scene: FrameScene): Promise<Outcome> {
  const line = await LineClient.start(scene.server, scene.login);
  try {
    return await PLAYS[name](line, scene);
  } finally {
    await line.close();
  }
}

/** In a direct message the server first reads whether one has blocked the other, and responds to pings meanwhile. */
async function showsTyping(other: LineClient, { userId }: Login): Promise<boolean> {
  const shown = () => other.of('typing').find(({ user_id }) => user_id === userId);
  return await eventually('typing', shown, 1000).then(
    () => true,
    () => false,
  );
}

/** What comes of a frame on a socket of the room. Without a ticket there is none, and its refusal counts. */
async function onV1(
  server: ServerProcess,
  login: Login,
  roomId: number,
  play: (client: ChatClient) => Promise<Outcome>,
): Promise<Outcome> {
  const ticket = await post(server, '/api/v1/ws/tickets', { room_id: roomId }, { token: login.accessToken });
  if (ticket.status !== 200) return refusal((ticket.json as { error: string }).error);
  const client = await ChatClient.enter(server, login, roomId);
  try {
    const outcome = await play(client);
    const [error] = client.of('error');
    return error ? refusal(error.content) : outcome;
  } finally {
    await client.close();
  }
}

/** Of these words, which one error has. */
function refusal(words: string): Outcome {
  const error = Object.values(ERRORS).find(({ message }) => message === words);
  return { cell: String(error?.status), words };
}

/** All that comes back about a room when each frame about it is sent. The room's number is replaced by 0. */
export async function responsesAbout(server: ServerProcess, login: Login, roomId: number): Promise<string[]> {
  const line = await LineClient.start(server, login);
  const from = line.mark();
  const frames: ClientFrameV2[] = [
    { type: 'here', room_id: roomId },
    { type: 'typing', room_id: roomId, is_typing: true },
    { type: 'close', room_id: roomId },
    { type: 'read', room_id: roomId, seq: 1, known: KNOWN },
    { type: 'message', room_id: roomId, content: 'hello', cid: 'a' },
    { ...change(roomId, 1), type: 'edit', content: 'changed', base_revision: 0 },
    { ...change(roomId, 1), type: 'delete' },
    { ...change(roomId, 1), type: 'react', emoji: '🦊', on: true },
    { type: 'open', room_id: roomId },
    { type: 'unread', room_ids: [roomId] },
  ];
  for (const frame of frames) line.send(frame);
  // Five for `open`, `message` and the changes, two for frames that need an open room.
  await line.until('seven refusals', () => (line.of('error', from).length >= 7 ? true : undefined));
  await line.waitFor('rooms', () => true, from);
  await line.settle();
  const responses = line.frames.slice(from).filter(({ type }) => type !== 'pong');
  await line.close();
  return responses
    .map((frame) => JSON.stringify(frame).replaceAll(`"room_id":${roomId}`, '"room_id":0'))
    .sort();
}

function change(roomId: number, id: number) {
  return { room_id: roomId, id, ref: 'first' };
}

/** Sends a frame, and waits for its response or for a refusal. */
async function ask(
  line: LineClient,
  frame: ClientFrameV2,
  response: Extract<ServerFrameV2['type'], 'opened' | 'presence' | 'ack' | 'changed'>,
): Promise<Outcome> {
  line.send(frame);
  await line.until('a response', () => line.of(response)[0] ?? line.of('error')[0]);
  return refusalIn(line) ?? DONE;
}

function refusalIn(line: LineClient): Outcome | undefined {
  const [error] = line.of('error');
  return error && { cell: String(ERRORS[error.code as ErrorCode].status), words: error.content };
}
