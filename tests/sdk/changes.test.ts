/** Edits, deletions and reactions of the SDK, against a real server. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type Change,
  Changes,
  type Message,
  memoryChanges,
  messagesApi,
  systemClock,
} from '../../client/index.ts';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/server-process.ts';
import { closeClients, isOpen, newcomer } from './chat.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterEach(closeClients);
afterAll(async () => await server?.dispose());

/** Two people in a room, and a text of the first, whose requests that change a message are noted. */
async function scene() {
  const requests: string[] = [];
  const noted: typeof fetch = (url, init) => {
    const { pathname } = new URL(String(url));
    if (init?.method !== 'GET' && pathname.includes('/messages/'))
      requests.push(`${init?.method} ${pathname}`);
    return fetch(url, init);
  };
  const [ann, bo] = [await newcomer(server, { fetch: noted }), await newcomer(server)];
  const { id } = await ann.api.createRoom(`room ${Date.now()}`);
  const rooms = [ann.enter(id), bo.enter(id)] as const;
  await Promise.all(rooms.map(isOpen));
  const sent = await rooms[0].send('first');
  if (sent.outcome !== 'stored') throw new Error(sent.outcome);
  const refused: string[] = [];
  let shown: readonly Change[] = [];
  const changes = new Changes({
    ...{ userId: ann.user?.id ?? 0, api: messagesApi(ann.api.requests), line: ann.line },
    ...{
      store: memoryChanges(),
      epoch: () => ann.rooms.state.epoch,
      clock: systemClock,
      random: Math.random,
    },
    onChange: (all) => {
      shown = all;
    },
    onRefused: (_, code) => refused.push(code),
  });
  const isDone = () =>
    eventually('all are confirmed', () => shown.every((one) => one.confirmed) || undefined);
  const sees = (what: string, isIt: (message: Message) => boolean) =>
    eventually(`bo sees ${what}`, () => rooms[1].state.messages.find(isIt));
  const make = (wanted: Change['wanted']) => changes.make(id, sent.id, wanted);
  return { ann, rooms, changes, make, requests, refused, isDone, sees, shown: () => shown };
}

test('what is edited, reacted to and deleted goes over the line, and is seen by the others', async () => {
  const { ann, changes, make, requests, refused, isDone, sees } = await scene();
  make({ kind: 'edit', content: 'second', base: 0 });
  await sees('the edit', ({ content, revision }) => content === 'second' && revision === 1);
  make({ kind: 'reaction', emoji: '👍', on: true });
  const isMine = ({ reactions }: Message) => reactions?.[0]?.user_ids[0] === ann.user?.id;
  await sees('the reaction', isMine);
  make({ kind: 'delete' });
  await sees('the deletion', ({ deleted_at }) => deleted_at !== undefined);
  await isDone();
  // The server has the last word, in the words of a request.
  make({ kind: 'reaction', emoji: '🎉', on: true });
  await eventually('a refusal', () => refused[0]);
  expect(refused).toEqual(['message not found']);
  expect(requests).toEqual([]);
  changes.close();
});

test('an edit that met another one keeps both texts, and a pin is a request', async () => {
  const { changes, make, requests, isDone, sees, shown } = await scene();
  make({ kind: 'edit', content: 'second', base: 0 });
  await sees('the edit', ({ content }) => content === 'second');
  await isDone();
  make({ kind: 'edit', content: 'third', base: 0 });
  const conflict = await eventually(
    'a conflict',
    () => shown().find((one) => one.conflict !== null)?.conflict,
  );
  expect(conflict).toMatchObject({ content: 'second', revision: 1 });
  make({ kind: 'edit', content: 'third', base: 1 });
  await sees('the choice', ({ content }) => content === 'third');
  expect(requests).toEqual([]);
  make({ kind: 'pin', on: true });
  await sees('the pin', ({ pinned_at }) => pinned_at !== undefined);
  expect(requests).toEqual([expect.stringMatching(/^PUT .*\/pin$/)]);
  changes.close();
});

test('a change that was made while the server was away reaches it once it is back', async () => {
  const { changes, make, isDone, sees } = await scene();
  await server.kill();
  make({ kind: 'edit', content: 'second', base: 0 });
  await server.restart();
  await sees('the edit', ({ content }) => content === 'second');
  await isDone();
  changes.close();
});
