/** Messages on a phone: what a finger is to hit, and what words have space. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { createRoom, type Login, logIn, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import type { Person } from './person.ts';
import { PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';

const EMOJI = [...'👍🎉🚀😂🙌💯🔥👏🥳🐢'];

onStage('messages on a phone', (stage) => {
  test('the targets of reactions are 44 pixels high, and none reaches into another', async () => {
    const { ann, login, room } = await reading(stage, await stage.account('bo'));
    const id = await ann.page.getByTestId('message').getAttribute('data-message-id');
    for (const emoji of EMOJI) {
      const path = `/api/v1/rooms/${room.id}/messages/${id}/reactions/${encodeURIComponent(emoji)}`;
      await send(stage.server, path, { method: 'PUT', token: login.accessToken });
    }
    const chips = ann.page.getByTestId('reaction');
    await soon(() => chips.count()).toBe(EMOJI.length);
    const boxes = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().toJSON()));
    expect(new Set(boxes.map(({ top }) => top)).size).toBeGreaterThan(1);
    for (const [index, box] of boxes.entries()) {
      expect(box.height).toBeGreaterThanOrEqual(44);
      for (const other of boxes.slice(index + 1)) {
        const isApart =
          other.left >= box.right ||
          other.right <= box.left ||
          other.top >= box.bottom ||
          other.bottom <= box.top;
        expect(isApart).toBe(true);
      }
    }
  });

  test('a name of 64 letters has its lines to itself: none stands over the message', async () => {
    const username = `${'W'.repeat(51)}-${crypto.randomUUID().slice(0, 12)}`;
    await signUp(stage.server, username);
    const { ann } = await reading(stage, await logIn(stage.server, username));
    const words = ann.page.getByTestId('message-content');
    const name = ann.log.getByRole('button', { name: username });
    // The lines themselves: a finger may hit above and below them.
    const lines = await name.evaluate((button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return [...range.getClientRects()].map(({ bottom }) => bottom);
    });
    expect(lines.length).toBeGreaterThan(1);
    expect((await words.boundingBox())?.y).toBeGreaterThanOrEqual(Math.max(...lines) - 1);
  });

  test('the messages run to the composer, and who is typing lies over them', async () => {
    const bo = await stage.account('bo');
    const { ann, room } = await reading(stage, bo);
    const log = await ann.log.boundingBox();
    const composer = await ann.page.locator('form:has(textarea)').boundingBox();
    expect((composer?.y ?? 0) - ((log?.y ?? 0) + (log?.height ?? 0))).toBeLessThanOrEqual(4);
    const client = await ChatClient.enter(stage.server, bo, room.id);
    client.send({ type: 'typing', is_typing: true });
    await ann.typing.getByText(`${bo.username} is typing`).waitFor();
    expect(await ann.log.boundingBox()).toEqual(log);
    const last = await ann.page.getByTestId('message-content').boundingBox();
    expect((await ann.typing.boundingBox())?.y).toBeGreaterThanOrEqual((last?.y ?? 0) + (last?.height ?? 0));
    await client.close();
  });
});

/** Ann on a phone, in a room in which its owner has said something. */
async function reading(stage: Stage, owner: Login) {
  // New accounts are in the first room of a server.
  await createRoom(stage.server, owner);
  const room = await createRoom(stage.server, owner);
  const client = await ChatClient.enter(stage.server, owner, room.id);
  client.say('hello');
  await client.waitFor('message');
  await client.close();
  const login = await stage.account('ann');
  const ann: Person = await stage.seat({ login, path: `/rooms/${room.id}`, context: PHONE });
  await ann.message('hello').waitFor();
  // Who only looks has a bar in between.
  await ann.button('Join').tap();
  await ann.page.getByTestId('not-member').waitFor({ state: 'detached' });
  return { ann, login, room };
}
