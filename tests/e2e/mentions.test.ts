/** Mentions: how they are shown, and what they do. */
import { expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom, type Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('mentions', (stage) => {
  test('of oneself, of others and of the room are marked; a name in code and one that nobody has are not', async () => {
    const { ann, bo, login, says } = await conversation(stage);
    await says(
      `@${login.ann.username} @"${login.bo.username}" @room \`@${login.ann.username}\` @nobody-at-all`,
    );
    const mentions = ann.messages.locator('button, span').filter({ hasText: /^@/ });
    await soon(() => mentions.allTextContents()).toEqual([
      `@${login.ann.username}`,
      `@${login.bo.username}`,
      '@room',
    ]);
    const own = ann.messages.locator('[data-me]');
    await soon(() => own.allTextContents()).toEqual([`@${login.ann.username}`, '@room']);
    await soon(() => bo.messages.locator('[data-me]').allTextContents()).toEqual([
      `@${login.bo.username}`,
      '@room',
    ]);
    await checkScreen(ann);
  });

  test('a press on one shows who it is', async () => {
    const { ann, login, says } = await conversation(stage);
    await says(`ask @${login.bo.username}`);
    await ann.messages.getByRole('button', { name: `@${login.bo.username}` }).click();
    await ann.page.getByRole('dialog', { name: `Profile of ${login.bo.username}` }).waitFor();
    expect(await ann.page.getByRole('dialog').getByText(login.bo.username).count()).toBeGreaterThan(0);
  });
});

/** Ann and bo are in a room. */
async function conversation(stage: Stage) {
  const login = { ann: await stage.account('ann'), bo: await stage.account('bo') };
  const room = await createRoom(stage.server, login.ann);
  await addMember(stage.server, login.ann, room.id, login.bo.userId);
  const [ann, bo] = await Promise.all([seat(stage, login.ann, room), seat(stage, login.bo, room)]);
  /** Bo says something. */
  const says = async (content: string) => {
    const line = await RoomLine.enter(stage.server, login.bo, room.id);
    await line.post(content, 'c');
    await line.close();
  };
  return { ann, bo, login, room, says };
}

async function seat(stage: Stage, login: Login, room: { id: number; name: string }): Promise<Person> {
  const person = await stage.seat({ login, path: `/rooms/${room.id}` });
  await person.isIn(room.name);
  return person;
}
