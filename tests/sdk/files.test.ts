import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { filePath, filesApi } from '../../client/index.ts';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/server-process.ts';
import { closeClients, isOpen, newcomer } from './chat.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterEach(closeClients);
afterAll(async () => await server?.dispose());

test('a message with nothing but files arrives with them, and says when they can be opened', async () => {
  const [ann, bo] = [await newcomer(server), await newcomer(server)];
  const { id } = await ann.api.createRoom(`room ${Date.now()}`);
  const rooms = [ann.enter(id), bo.enter(id)] as const;
  await Promise.all(rooms.map(isOpen));
  const bytes = new Blob(['the plan'], { type: 'text/plain' });
  const file = await filesApi(ann.api.requests).upload(id, { name: 'plan.txt', bytes, alt: 'a plan' });
  expect(file).toMatchObject({ name: 'plan.txt', type: 'text/plain', size: 8, alt: 'a plan' });
  expect(await rooms[0].send('', { files: [file] })).toMatchObject({ outcome: 'stored' });
  for (const room of rooms)
    await eventually('the checked file', () => {
      const [shown] = room.state.messages.at(-1)?.files ?? [];
      return (shown?.key === file.key && shown.state === undefined) || undefined;
    });
  expect(rooms[0].state.messages).toEqual(rooms[1].state.messages);
  const files = filesApi(ann.api.requests);
  const { messages } = rooms[0].state;
  const of = { roomId: id, messageId: messages.at(-1)?.id ?? 0, key: file.key };
  expect((await files.describe(of, 'the plan')).files).toMatchObject([{ alt: 'the plan' }]);
  expect(await files.list(id, { kind: 'other' })).toMatchObject({
    files: [{ key: file.key, alt: 'the plan' }],
  });
  await files.delete(of);
  expect(await files.list(id)).toEqual({ files: [], next_before_id: null });
  expect(filePath(file.key, file.name)).toBe(`/files/${file.key}/plan.txt`);
});

test('files of somebody else are refused, and stay with the message until it is discarded', async () => {
  const [ann, bo] = [await newcomer(server), await newcomer(server)];
  const { id } = await ann.api.createRoom(`room ${Date.now()}`);
  const room = bo.enter(id);
  await isOpen(room);
  const file = await filesApi(ann.api.requests).upload(id, { name: 'a', bytes: new Blob(['a']) });
  expect(await room.send('mine?', { files: [file] })).toEqual({ outcome: 'refused', code: 'invalid_files' });
  expect(room.state.pending).toMatchObject([{ status: 'failed', files: [{ key: file.key }] }]);
  expect(await room.send('')).toEqual({ outcome: 'refused', code: 'invalid_content' });
});
