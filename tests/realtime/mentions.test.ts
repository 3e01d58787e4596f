import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mentionOf } from '../../protocol/mentions.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { addMember, createRoom, type Login, readHistory, signUp, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server, uniqueName('ann lee'));
  bo = await signUp(server, uniqueName('bo'));
});
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, ann)).id;

describe('a message says whom it mentions', () => {
  test('live, in history and on resume, by id', async () => {
    const roomId = await newRoom();
    const line = await RoomLine.enter(server, ann, roomId);
    const { epoch } = line.hello;
    await line.post(`@${bo.username}, @"${ann.username}" and @nobody: look. @here`, 'c');
    const heard = await line.waitFor('message');
    expect(heard).toMatchObject({ mentions: [bo.userId, ann.userId], mention_room: 'here' });
    expect(await readHistory(server, bo, roomId)).toEqual([heard]);
    const late = await RoomLine.enter(server, bo, roomId, { cursor: { since: 0, epoch } });
    expect(late.of('batch').flatMap(({ events }) => events)).toEqual([heard]);
    await Promise.all([line.close(), late.close()]);
  });

  test('a client of chatroom.v1 gets the frame that it always got', async () => {
    const roomId = await newRoom();
    await addMember(server, ann, roomId, bo.userId);
    const [line, base] = await Promise.all([
      RoomLine.enter(server, ann, roomId),
      ChatClient.enter(server, bo, roomId),
    ]);
    const content = `@${bo.username} @room`;
    const { id, seq, created_at } = await line.post(content, 'c');
    const { userId: user_id, username } = ann;
    const frame = { type: 'message', id, room_id: roomId, user_id, username, content, created_at, seq };
    expect(await base.waitFor('message', (message) => message.seq === seq)).toEqual(frame);
    base.say(content);
    const heard = await line.waitFor(
      'message',
      ({ id: other, content: said }) => other > id && said === content,
    );
    expect(heard).toMatchObject({ mentions: [bo.userId], mention_room: 'room' });
    await Promise.all([line.close(), base.close()]);
  });

  test('code, links and quotes mention nobody', async () => {
    const line = await RoomLine.enter(server, ann, await newRoom());
    const name = bo.username;
    await line.post(`\`@${name}\` https://a.example/@${name}\n> @${name} @room`, 'c');
    const heard = await line.waitFor('message');
    expect(heard).not.toHaveProperty('mentions');
    expect(heard).not.toHaveProperty('mention_room');
    await line.close();
  });

  test.each([
    'Ann “Bo” Lee',
    '12" disc',
    '"quoted"',
    'x"',
    'a”b',
    '`code`',
    '[a](b)',
    'www.x.com',
    'http://x.y',
  ])('a user called %s is mentioned as a client writes it', async (name) => {
    const odd = await signUp(server, name);
    const line = await RoomLine.enter(server, ann, await newRoom());
    for (const content of [mentionOf(odd.username), `see ${mentionOf(odd.username)}, and "this" \`too\``]) {
      line.say(content);
      const heard = await line.waitFor('message', (message) => message.content === content);
      expect(heard).toMatchObject({ mentions: [odd.userId] });
    }
    await line.close();
  });

  test('full-width marks and the quotes of phones mention, too', async () => {
    const quoted = await signUp(server, "o'neil");
    const line = await RoomLine.enter(server, ann, await newRoom());
    line.say(`＠${bo.username}/@o’neil ＠all`);
    const heard = await line.waitFor('message');
    expect(heard).toMatchObject({ mentions: [bo.userId, quoted.userId], mention_room: 'room' });
    await line.close();
  });

  test('texts that are sent at once keep their order, whether they mention somebody or not', async () => {
    const line = await RoomLine.enter(server, ann, await newRoom());
    const texts = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? `@${bo.username} ${index}` : `${index}`,
    );
    for (const content of texts) line.say(content);
    await line.waitFor('message', ({ seq }) => seq === texts.length);
    expect(line.of('message').map(({ content }) => content)).toEqual(texts);
    await line.close();
  });
});
