/** Two people in two browsers, in one room. */
import { expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, readHistory, signUp, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { focused } from './focus.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('chat', (stage) => {
  test('a new room opens at once for its creator: 1 online', async () => {
    const ann = await stage.seat({ login: await stage.account('ann') });
    await ann.startRoom();
    await ann.page.getByLabel('Room name').fill('Reading group');
    await ann.button('Create room').click();
    await ann.isIn('Reading group');
    await soon(() => ann.onlineCount.textContent()).toBe('1 online');
    expect(await ann.stored('chat_last_room')).toBe(new URL(ann.page.url()).pathname.split('/').at(-1));
  });

  test('without rooms one picture says what to do, and the button that creates a room has the focus; a room offers its invite link', async () => {
    await using server = await ServerProcess.start();
    const ann = await stage.seat({ login: await signUp(server, uniqueName('ann')), origin: server.url });
    await soon(() => focused(ann)).toBe('Create a room');
    await ann.button('Browse rooms').waitFor();
    expect(await ann.page.locator('svg[viewBox="0 0 168 112"]').count()).toBe(0);
    await ann.rooms.getByRole('button', { name: 'New message' }).click();
    await ann.page.getByRole('dialog', { name: 'New message' }).waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.button('Create a room').click();
    await ann.page.getByLabel('Room name').fill('Reading group');
    await ann.button('Create room').click();
    await ann.isIn('Reading group');
    await ann.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await ann.log.getByRole('button', { name: 'Copy invite link' }).click();
    await ann.log.getByRole('button', { name: 'Link copied' }).waitFor();
    expect(await ann.page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/invite\/[\w-]+$/);
  });

  test('a taken room name is reported beside the field', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login });
    ann.console.expect(/status of 409/);
    await ann.startRoom();
    await ann.page.getByLabel('Room name').fill(room.name);
    await ann.button('Create room').click();
    await ann.dialog.getByText('A room with this name already exists.').waitFor();
    await ann.button('Cancel').click();
    await ann.dialog.waitFor({ state: 'hidden' });
  });

  test('messages are broadcast in real time to everyone in the room, in one order, once each', async () => {
    const { ann, bo, room } = await pair(stage);
    const said: string[] = [];
    for (let turn = 1; turn <= 5; turn++) {
      for (const [name, person] of [
        ['ann', ann],
        ['bo', bo],
      ] as const) {
        said.push(`${name} says ${turn}`);
        await person.say(`${name} says ${turn}`);
        // Each waits for the other's, as people do.
        await soon(() => (person === ann ? bo : ann).contents()).toEqual(said);
      }
    }
    await soon(() => ann.contents()).toEqual(said);
    await soon(() => bo.contents()).toEqual(said);
    expect(await ann.pending.count()).toBe(0);
    expect((await readHistory(stage.server, room.owner, room.id)).map(({ content }) => content)).toEqual(
      said,
    );
  });

  test('two people who write at once see all messages in the same order', async () => {
    const { ann, bo } = await pair(stage);
    const burst = (name: string) => Array.from({ length: 15 }, (_, index) => `${name} ${index + 1}`);
    await Promise.all([sayAll(ann, burst('ann')), sayAll(bo, burst('bo'))]);
    await soon(() => ann.messages.count()).toBe(30);
    await soon(() => bo.messages.count()).toBe(30);
    const seen = await ann.contents();
    expect(await bo.contents()).toEqual(seen);
    expect(seen.filter((content) => content.startsWith('ann'))).toEqual(burst('ann'));
    expect(seen.filter((content) => content.startsWith('bo'))).toEqual(burst('bo'));
  });

  test('Shift+Enter makes a new line; content is shown exactly as written', async () => {
    const { ann, bo } = await pair(stage);
    await ann.composer.pressSequentially('first line');
    await ann.composer.press('Shift+Enter');
    await ann.composer.pressSequentially('    second, indented');
    expect(await ann.messages.count()).toBe(0);
    await ann.composer.press('Enter');
    await soon(() => bo.messages.count()).toBe(1);
    const shown = await bo.messages.getByTestId('message-content').innerText();
    expect(shown).toMatch(/^first line\n {4}second, indented$/);
    expect(await ann.composer.inputValue()).toBe('');
  });

  test('others are notified of joins and leaves, and the count in the header follows', async () => {
    const { ann, owner, room } = await host(stage);
    const boLogin = await stage.account('bo');
    const looker = await stage.seat({ login: await stage.account('cy') });
    const bo = await ChatClient.enter(stage.server, boLogin, room.id);
    await ann.notice(`${boLogin.username} joined`).waitFor();
    await soon(() => ann.onlineCount.textContent()).toBe('2 online');
    await looker.refreshRooms();
    // A second socket of the same user does not count.
    const again = await ChatClient.enter(stage.server, boLogin, room.id);
    await again.close();
    await bo.close();
    await ann.notice(`${boLogin.username} joined and left`).waitFor();
    await soon(() => ann.onlineCount.textContent()).toBe('1 online');
    await looker.refreshRooms();
    expect(await ann.notice(owner.username).count()).toBe(0);
  });

  test('going to another room leaves this one', async () => {
    const { ann, bo, room } = await pair(stage);
    await bo.createRoom(uniqueName('elsewhere'));
    await ann.notice('left').waitFor();
    await soon(() => ann.onlineCount.textContent()).toBe('1 online');
    await bo.openRoom(room.name);
    await ann.notice('joined').last().waitFor();
    await soon(() => ann.onlineCount.textContent()).toBe('2 online');
  });

  test('typing is shown to others only, and ends 3 s after the last key', async () => {
    const { ann, bo, boLogin } = await pair(stage);
    await bo.composer.pressSequentially('I was just thi', { delay: 20 });
    await ann.typing.getByText(`${boLogin.username} is typing`).waitFor();
    const lastKeyAt = Date.now();
    await bo.composer.press('n');
    expect(await bo.typing.textContent()).toBe('');
    await soon(() => ann.typing.textContent()).toBe('');
    // No timer fires early; how late it does is the machine's affair.
    expect(Date.now() - lastKeyAt).toBeGreaterThan(2000);
    expect(await bo.composer.inputValue()).toBe('I was just thin');
  });

  test('typing ends at once with the message', async () => {
    const { ann, bo, boLogin } = await pair(stage);
    await bo.composer.pressSequentially('here it comes');
    await ann.typing.getByText(`${boLogin.username} is typing`).waitFor();
    await bo.composer.press('Enter');
    await ann.message('here it comes').waitFor();
    expect(await ann.typing.textContent()).toBe('');
  });

  test('/rooms/:id survives a reload, and opens the room for anyone with the address', async () => {
    const { ann, room } = await host(stage);
    await ann.say('still here');
    await ann.message('still here').waitFor();
    await ann.page.reload();
    await ann.isIn(room.name);
    await ann.message('still here').waitFor();
    const bo = await stage.seat({ login: await stage.account('bo'), path: `/rooms/${room.id}` });
    await bo.isIn(room.name);
    expect(await bo.contents()).toEqual(['still here']);
  });

  test('the address of a missing room says so and offers the way back', async () => {
    const ann = await stage.seat({ login: await stage.account('ann'), path: '/rooms/4000000000' });
    ann.console.expect(/status of 404/);
    await ann.page.getByText("This room doesn't exist").waitFor();
    await ann.button('Go to your rooms').click();
    await soon(() => new URL(ann.page.url()).pathname).not.toMatch(/4000000000/);
  });

  test('each room keeps its draft, also after a reload', async () => {
    const { ann, room } = await host(stage);
    await ann.composer.fill('not quite finished');
    await ann.createRoom(uniqueName('aside'));
    expect(await ann.composer.inputValue()).toBe('');
    await ann.openRoom(room.name);
    expect(await ann.composer.inputValue()).toBe('not quite finished');
    await ann.page.reload();
    await ann.isIn(room.name);
    expect(await ann.composer.inputValue()).toBe('not quite finished');
  });
});

onStage(
  'a server that lets two messages through',
  (stage) => {
    test('messages sent too fast wait their turn, and none is lost, duplicated or reordered', async () => {
      const { ann, room } = await host(stage);
      const said = Array.from({ length: 8 }, (_, index) => `message ${index + 1}`);
      for (const content of said) await ann.say(content);
      await soon(() => ann.contents()).toEqual(said);
      expect(await ann.pending.count()).toBe(0);
      const stored = await readHistory(stage.server, room.owner, room.id);
      expect(stored.map(({ content }) => content)).toEqual(said);
    });
  },
  { MESSAGE_BURST: '2', MESSAGES_PER_SECOND: '1' },
);

/** A room with its owner inside, in a browser. */
async function host(stage: Stage) {
  const owner = await stage.account('ann');
  const { id, name } = await createRoom(stage.server, owner);
  const ann = await stage.seat({ login: owner, path: `/rooms/${id}` });
  await ann.isIn(name);
  return { ann, owner, room: { id, name, owner } };
}

/** A room with two people in two browsers inside. */
async function pair(stage: Stage) {
  const { ann, room } = await host(stage);
  const boLogin = await stage.account('bo');
  const bo = await stage.seat({ login: boLogin, path: `/rooms/${room.id}` });
  await bo.isIn(room.name);
  await soon(() => ann.onlineCount.textContent()).toBe('2 online');
  return { ann, bo, boLogin, room };
}

async function sayAll(person: Person, contents: string[]): Promise<void> {
  for (const content of contents) await person.say(content);
}
