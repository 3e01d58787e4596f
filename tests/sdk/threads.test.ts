import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatClient, findQuoted, type Room, RoomThread, threadsApi } from '../../client/index.ts';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/server-process.ts';
import { closeClients, isOpen, newcomer } from './chat.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterEach(closeClients);
afterAll(async () => await server?.dispose());

/** Two people in a room, and a text there. */
async function scene() {
  const [ann, bo] = [await newcomer(server), await newcomer(server)];
  const { id } = await ann.api.createRoom(`room ${Date.now()}`);
  const rooms = [ann.enter(id), bo.enter(id)] as const;
  await Promise.all(rooms.map(isOpen));
  const sent = await rooms[0].send('root');
  if (sent.outcome !== 'stored') throw new Error(sent.outcome);
  return { ann, bo, annRoom: rooms[0], boRoom: rooms[1], rootId: sent.id };
}

function open(client: ChatClient, room: Room, threadId: number) {
  const api = threadsApi(client.api.requests);
  const thread = new RoomThread({
    ...{ room, api, threadId, notifications: client.notifications },
    onChange: () => undefined,
  });
  const hears = (...contents: string[]) =>
    eventually(`the thread has ${contents}`, () => {
      const held = thread.state?.messages.map(({ content }) => content).join();
      return held === contents.join() ? true : undefined;
    });
  return { thread, hears, api };
}

test('a thread is live for both, and its root counts it in the main flow, which has no replies', async () => {
  const { ann, bo, annRoom, boRoom, rootId } = await scene();
  const [one, other] = [open(ann, annRoom, rootId), open(bo, boRoom, rootId)];
  await Promise.all([one.hears(), other.hears()]);
  await one.thread.send('first');
  await other.thread.send('second');
  await Promise.all([one.hears('first', 'second'), other.hears('first', 'second')]);
  await eventually(
    'the root counts both',
    () => boRoom.state.messages[0]?.thread?.replies === 2 || undefined,
  );
  expect(boRoom.state.messages.map(({ content }) => content)).toEqual(['root']);
  expect(annRoom.state.pending).toEqual([]);
  await one.thread.change({ title: 'Plans', resolved: true });
  await eventually('the title', () => other.thread.state?.root?.thread?.title === 'Plans' || undefined);
});

test('a followed thread counts what is new until it is read', async () => {
  const { ann, bo, annRoom, boRoom, rootId } = await scene();
  const [one, other] = [open(ann, annRoom, rootId), open(bo, boRoom, rootId)];
  await other.hears();
  await other.thread.setFollowing(true);
  await one.thread.send('new');
  await other.hears('new');
  const unread = async () => (await other.api.followed()).map((thread) => thread.unread);
  expect(await unread()).toEqual([1]);
  await other.thread.read();
  expect(await unread()).toEqual([0]);
});

test('whoever replies follows the thread, and whoever leaves it does not, on all devices', async () => {
  const { bo, boRoom, rootId } = await scene();
  const [thread, elsewhere] = [open(bo, boRoom, rootId), open(bo, boRoom, rootId)];
  await Promise.all([thread.hears(), elsewhere.hears()]);
  expect(thread.thread.state?.following).toBe(false);
  await thread.thread.send('first');
  const both = (what: string, following: boolean) =>
    eventually(
      what,
      () => [thread, elsewhere].every((one) => one.thread.state?.following === following) || undefined,
    );
  await both('both say that bo follows it', true);
  await elsewhere.thread.setFollowing(false);
  await both('both say that bo has left it', false);
});

test('what was said while the server was away is in the thread afterwards', async () => {
  const { ann, bo, annRoom, boRoom, rootId } = await scene();
  const other = open(bo, boRoom, rootId);
  await other.hears();
  await server.kill();
  const sent = annRoom.send('late', { threadId: rootId });
  await server.restart();
  expect((await sent).outcome).toBe('stored');
  await other.hears('late');
  expect(open(ann, annRoom, rootId).thread.state).toBeNull();
});

test('a mark that was made while the server was away is sent once it is back', async () => {
  const { ann, bo, annRoom, boRoom, rootId } = await scene();
  const [one, other] = [open(ann, annRoom, rootId), open(bo, boRoom, rootId)];
  await other.hears();
  await other.thread.setFollowing(true);
  await one.thread.send('new');
  await other.hears('new');
  await server.kill();
  await expect(other.thread.read()).rejects.toThrow();
  await server.restart();
  await isOpen(boRoom);
  await eventually('it is read', async () => {
    const [thread] = await other.api.followed();
    return thread?.unread === 0 || undefined;
  });
});

test('a jump to a reply leads to the root of its thread, and the thread reads back to that reply', async () => {
  const { ann, annRoom, boRoom, bo, rootId } = await scene();
  const sent = [];
  for (let count = 0; count < 53; count++) sent.push(boRoom.send(`reply ${count}`, { threadId: rootId }));
  const [first] = await Promise.all(sent);
  if (first?.outcome !== 'stored') throw new Error(first?.outcome);
  expect(await annRoom.jump({ id: first.id })).toMatchObject({ id: rootId, replyId: first.id });
  expect(annRoom.state.jump.target).toMatchObject({ id: rootId, replyId: first.id });
  const { thread } = open(ann, annRoom, rootId);
  const page = await eventually('the latest page', () => thread.state?.messages);
  expect(page.some(({ id }) => id === first.id)).toBe(false);
  await thread.reach(first.id);
  expect(thread.state?.messages.map(({ content }) => content)).toHaveLength(53);
  expect(thread.state?.messages[0]?.id).toBe(first.id);
  await open(bo, boRoom, rootId).thread.reach(first.id);
});

test('an answer names what it quotes, and shows it as it is now', async () => {
  const { annRoom, boRoom, rootId } = await scene();
  await boRoom.send('an answer', { replyTo: rootId });
  const answer = await eventually('the answer', () =>
    annRoom.state.messages.find(({ reply_to }) => reply_to?.id === rootId),
  );
  expect(findQuoted(annRoom.state, answer.reply_to?.id ?? 0)?.content).toBe('root');
});
