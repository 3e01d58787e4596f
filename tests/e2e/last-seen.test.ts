/** What was last seen on a device is shown without its server, and what is written waits. */
import { expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom, removeMember, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { UNREACHABLE } from './console-watch.ts';
import { keptClient, keptMessages, keptRooms, pretendOtherLife } from './last-seen-page.ts';
import type { Person } from './person.ts';
import { onStageWithWorker, soon } from './stage.ts';

onStageWithWorker('what was last seen', (stage) => {
  test('the rooms and messages last seen are shown, new messages wait, and all is up to date afterwards', async () => {
    const { ann, owner, room } = await keptClient(stage);
    const elsewhere = await createRoom(stage.server, owner);
    await ann.refreshRooms();
    await ann.roomRow(elsewhere.name).waitFor();
    for (const content of ['one', 'two']) await ann.say(content);
    await ann.message('two').waitFor();
    await keptMessages(ann, owner.userId, room.id, ['one', 'two']);
    await stage.killServer();

    await ann.page.reload();
    await soon(() => ann.contents()).toEqual(['one', 'two']);
    await ann.page.getByRole('heading', { level: 1, name: room.name, exact: true }).waitFor();
    await ann.roomRow(elsewhere.name).waitFor();
    await ann.say('three');
    await ann.pending.getByText("Sends when you're back online").waitFor();
    await ann.page.reload();
    await soon(() => ann.contents()).toEqual(['one', 'two']);
    await ann.pending.waitFor();

    await stage.server.restart();
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    bo.send({ type: 'message', content: 'from bo' });
    await ann.isIn(room.name);
    await soon(async () => (await ann.contents()).toSorted()).toEqual(['from bo', 'one', 'three', 'two']);
    expect((await ann.contents()).slice(0, 2)).toEqual(['one', 'two']);
    await soon(() => ann.pending.count()).toBe(0);
  });

  test('what is kept of a private room is deleted when the user is removed from it, whether it is open or not', async () => {
    const [owner, bo] = [await stage.account('ann'), await stage.account('bo')];
    const rooms = [];
    for (const name of ['open', 'in the list', 'while away']) {
      const room = await createRoom(stage.server, owner, uniqueName(name), 'private');
      await addMember(stage.server, owner, room.id, bo.userId);
      const line = await RoomLine.enter(stage.server, owner, room.id);
      await line.post(`in ${name}`);
      rooms.push(room);
    }
    const seat = await stage.seat({ login: bo });
    for (const { id, name } of rooms.toReversed()) {
      await seat.openRoom(name);
      await keptMessages(seat, bo.userId, id);
    }
    const [open, listed, away] = rooms.map(({ id }) => id) as [number, number, number];
    for (const roomId of [open, listed]) {
      await removeMember(stage.server, owner, roomId, bo.userId);
      await keptMessages(seat, bo.userId, roomId, []);
    }
    await seat.isKept();
    await seat.page.goto('about:blank');
    await removeMember(stage.server, owner, away, bo.userId);
    await seat.page.goto(stage.server.url);
    await keptMessages(seat, bo.userId, away, []);
  });

  test('words written without a server stay in view when it is back, whatever was unread; what was seen is read', async () => {
    const owner = await stage.account('ann');
    const room = await createRoom(stage.server, owner);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    const say = async (from: number, to: number) => {
      for (let at = from; at <= to; at++) bo.send({ type: 'message', content: `message ${at}` });
      await bo.waitForCount('message', to);
    };
    await say(1, 120);
    const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
    ann.console.expect(UNREACHABLE);
    await ann.isIn(room.name);
    await ann.page.getByTestId('new-line').waitFor();
    await ann.isKept();
    await keptMessages(ann, owner.userId, room.id);
    await ann.page.context().setOffline(true);
    await ann.page.reload();
    await ann.message('message 120').waitFor();
    await ann.say('my own words');
    await ann.pending.getByText("Sends when you're back online").waitFor();
    await say(121, 125);
    await ann.page.context().setOffline(false);
    await ann.isIn(room.name);
    await ann.message('my own words').waitFor();
    await soon(() => ann.pending.count()).toBe(0);
    await ann.still();
    expect(await isInView(ann, 'my own words')).toBe(true);
    // What came meanwhile is new; what was in sight while she wrote is not.
    const firstNew = ann.page.locator('[data-testid=new-line] ~ li [data-testid=message-content]').first();
    await soon(() => firstNew.textContent()).toBe('message 121');

    // Words that were written on an earlier visit are where the room opens.
    await ann.page.context().setOffline(true);
    await ann.say('my later words');
    await ann.pending.waitFor();
    await ann.page.reload();
    await ann.pending.getByText('my later words').waitFor();
    await say(126, 170);
    await ann.page.context().setOffline(false);
    await ann.isIn(room.name);
    await ann.message('my later words').waitFor();
    await ann.still();
    expect(await isInView(ann, 'my later words')).toBe(true);
  });

  test('a quiet room is kept, too, when its history arrives before its hello', async () => {
    const owner = await stage.account('ann');
    const room = await createRoom(stage.server, owner);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    for (const content of ['one', 'two']) bo.send({ type: 'message', content });
    await bo.waitForCount('message', 2);
    const ann = await stage.seat({ login: owner, worker: false });
    await ann.page.route('**/api/v1/ws/tickets', async (route) => {
      await ann.message('two').waitFor();
      await route.continue();
    });
    await ann.openRoom(room.name);
    await keptMessages(ann, owner.userId, room.id, ['one', 'two']);
  });

  test('in a room that was never opened here, a new message is shown and waits, too', async () => {
    const { ann, owner } = await keptClient(stage);
    const other = await createRoom(stage.server, owner);
    await ann.refreshRooms();
    await ann.roomRow(other.name).waitFor();
    await keptRooms(ann, owner.userId, other.name);
    await stage.killServer();
    const tab = await ann.openTab(`/rooms/${other.id}`);
    tab.console.expect(UNREACHABLE);
    await tab.say('hello?');
    await tab.pending.getByText('hello?').waitFor();
    await stage.server.restart();
    await tab.isIn(other.name);
    await soon(() => tab.contents()).toEqual(['hello?']);
  });

  test('a room that was never opened here says that it loads later, and does', async () => {
    const { ann, owner } = await keptClient(stage);
    const other = await createRoom(stage.server, owner);
    await ann.refreshRooms();
    await ann.roomRow(other.name).waitFor();
    await keptRooms(ann, owner.userId, other.name);
    await stage.killServer();
    await ann.roomRow(other.name).click();
    await ann.log.getByText("Loads when you're back online").waitFor();
    expect(await ann.page.getByRole('status', { name: 'Loading messages' }).count()).toBe(0);
    await stage.server.restart();
    await ann.isIn(other.name);
    await ann.log.getByText('Nothing has been said yet.').waitFor();
  });

  test('after reopening without a server, the banner counts what was missed since', async () => {
    const { ann, owner, room } = await keptClient(stage);
    await ann.say('one');
    await ann.message('one').waitFor();
    await keptMessages(ann, owner.userId, room.id, ['one']);
    await ann.page.context().setOffline(true);
    await ann.page.reload();
    await ann.banner.getByText('Offline').waitFor();
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    for (const content of ['two', 'three']) bo.send({ type: 'message', content });
    await bo.waitForCount('message', 2);
    await ann.page.context().setOffline(false);
    await ann.banner.getByText('Up to date, 2 new').waitFor();
  });

  test('messages since the last visit follow the ones last seen, each once and in order', async () => {
    const { ann, owner, room } = await keptClient(stage);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    const say = (from: number, to: number) => {
      for (let index = from; index <= to; index++) bo.send({ type: 'message', content: `message ${index}` });
    };
    const said = (to: number) => Array.from({ length: to }, (_, index) => `message ${index + 1}`);
    say(1, 5);
    await soon(() => ann.contents()).toEqual(said(5));
    await keptMessages(ann, owner.userId, room.id, said(5));
    await ann.page.goto('/favicon.svg');
    say(6, 40);
    await bo.waitForCount('message', 40);
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await soon(() => ann.contents()).toEqual(said(40));
    await ann.page.getByTestId('new-line').waitFor();
  });

  test('a reader further up in the messages last seen stays there, to the pixel, when the server is back', async () => {
    const { ann, owner, room } = await keptClient(stage);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    const said = Array.from({ length: 45 }, (_, index) => `message ${index + 1}`);
    for (const content of said) bo.send({ type: 'message', content });
    await soon(() => ann.contents()).toEqual(said);
    await keptMessages(ann, owner.userId, room.id, said);
    await stage.killServer();
    await ann.page.reload();
    await soon(() => ann.contents()).toEqual(said);
    // Not by the wheel: a page that has just loaded misses some of its events, and gets others late.
    await soon(async () => {
      await ann.log.evaluate((box) => {
        box.scrollTop -= 300;
      });
      await ann.still();
      return await ann.toEnd.count();
    }).toBe(1);
    const tops = await watchTops(ann, 'message 20');

    await stage.server.restart();
    const again = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    for (let n = 1; n <= 5; n++) again.send({ type: 'message', content: `new ${n}` });
    await ann.isIn(room.name);
    await soon(() => ann.toEnd.textContent()).toBe('5 new');
    expect(await tops()).toHaveLength(1);
  });

  test('messages last seen of another epoch disappear when the server is back', async () => {
    const { ann, owner, room } = await keptClient(stage);
    await ann.say('true');
    await ann.message('true').waitFor();
    await keptMessages(ann, owner.userId, room.id, ['true']);
    // As if this were the life before a restored backup.
    await ann.page.goto('/favicon.svg');
    await pretendOtherLife(ann, owner.userId, room.id);
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await soon(() => ann.contents()).toEqual(['true']);
  });
});

/** In every picture: how far from the top a message stands. Returns all the places since. */
async function watchTops({ page }: Person, content: string): Promise<() => Promise<number[]>> {
  const seen = await page.evaluateHandle((text) => {
    const tops = new Set<number>();
    const look = () => {
      const texts = [...document.querySelectorAll('[data-testid=message-content]')];
      tops.add(texts.find(({ textContent }) => textContent === text)?.getBoundingClientRect().top ?? -1);
    };
    // The newest observer is called last, right before the picture: what the page puts right earlier is never seen.
    const watch = () => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        look();
      });
      observer.observe(document.documentElement);
      requestAnimationFrame(watch);
    };
    watch();
    return tops;
  }, content);
  return () => seen.evaluate((tops) => [...tops]);
}

/** A message is within the box of the messages. */
async function isInView(person: Person, content: string): Promise<boolean> {
  const [box, message] = await Promise.all([
    person.log.boundingBox(),
    person.message(content).boundingBox({ timeout: 1000 }),
  ]);
  if (box === null || message === null) return false;
  return message.y >= box.y && message.y + message.height <= box.y + box.height;
}
