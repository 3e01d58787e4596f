/** The part of a room's settings for those who moderate it. */
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { send } from '../support/http.ts';
import { addMember, createRoom, type Login } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { onStage, type Stage, soon } from './stage.ts';

interface Reported {
  readonly room: { readonly id: number; readonly name: string };
  readonly ann: Login;
  readonly bo: Login;
  readonly cy: Login;
  readonly messageId: number;
}

/** Ann owns a public room in which cy has reported a message of bo's. */
async function reported(stage: Stage): Promise<Reported> {
  const [ann, bo, cy] = [
    await stage.account('ann'),
    await stage.account('bo'),
    await stage.account('cy'),
  ] as const;
  const room = await createRoom(stage.server, ann);
  for (const { userId } of [bo, cy]) await addMember(stage.server, ann, room.id, userId);
  const socket = await ChatClient.enter(stage.server, bo, room.id);
  socket.send({ type: 'message', content: 'Buy now!' });
  const [message] = await socket.waitForCount('message', 1);
  await socket.close();
  const messageId = Number((message as { id?: unknown } | undefined)?.id);
  const { status } = await send(stage.server, `/api/v1/rooms/${room.id}/messages/${messageId}/reports`, {
    method: 'POST',
    token: cy.accessToken,
    json: { reason: 'spam', note: 'The third today' },
  });
  expect(status).toBe(204);
  return { room, ann, bo, cy, messageId };
}

onStage('the moderation of a room', (stage) => {
  test('a moderator reads reports, goes to the message, mutes its author, closes the report with a note, lifts the mute', async () => {
    const { room, ann, bo, cy, messageId } = await reported(stage);
    const owner = await stage.seat({ login: ann, path: `/rooms/${room.id}/about` });
    const { page } = owner;
    await owner.goToRoomPart('Moderation (1)');
    const report = page.getByTestId('report');
    await report.getByText('Buy now!').waitFor();
    await report.getByText(cy.username).waitFor();
    await report.getByText(/The third today/).waitFor();
    await page.getByText('Nobody is muted or banned.').waitFor();
    await report.getByRole('link', { name: 'Go to the message' }).click();
    await soon(() => new URL(page.url()).pathname).toMatch(
      new RegExp(`^/rooms/${room.id}(/m/${messageId})?$`),
    );
    await owner.message('Buy now!').waitFor();

    await page.goto(`/rooms/${room.id}/moderation`);
    await report.getByRole('button', { name: 'Mute or ban' }).click();
    await page.getByLabel('Reason').fill('Advertising');
    await page.getByRole('dialog').getByRole('button', { name: 'Mute', exact: true }).click();
    const restricted = page.getByTestId('restricted');
    await restricted.getByText(/^Muted until/).waitFor();
    const log = page.getByRole('list', { name: 'Log of this room' });
    await log.getByText(`${ann.username} muted ${bo.username}`, { exact: true }).waitFor();
    await checkScreen(owner, 'moderation');

    await report.getByRole('button', { name: 'Close report' }).click();
    await checkScreen(owner, 'moderation-closing');
    await page.keyboard.type('Muted for a day');
    await page.keyboard.press('Enter');
    await page.getByText('No open reports.').waitFor();
    await owner.roomSettings.getByRole('heading', { name: 'Moderation', exact: true }).waitFor();
    await log.getByText(/Muted for a day/).waitFor();
    await soon(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Open reports');

    await page.getByRole('button', { name: `Lift the mute of ${bo.username}` }).click();
    await page.getByText('Nobody is muted or banned.').waitFor();
    await log.getByText(`${ann.username} let ${bo.username} write again`, { exact: true }).waitFor();
    const { json } = await send(stage.server, `/api/v1/rooms/${room.id}/restricted`, {
      token: ann.accessToken,
    });
    expect(json).toEqual({ people: [] });
    await checkScreen(owner, 'moderation-empty');
  });

  test('a ban is lifted; a message of a banned person can still be judged by keys alone', async () => {
    const { room, ann, bo } = await reported(stage);
    const { status } = await send(stage.server, `/api/v1/rooms/${room.id}/bans/${bo.userId}`, {
      method: 'PUT',
      token: ann.accessToken,
      json: {},
    });
    expect(status).toBe(204);
    const owner = await stage.seat({ login: ann, path: `/rooms/${room.id}/about` });
    const { page } = owner;
    await owner.showRoomParts();
    await owner.roomPart('Moderation (1)').press('Enter');
    await page.getByText('Banned until it is lifted').waitFor();
    const press = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true });
      for (let tries = 0; tries < 12; tries++) {
        if (await button.evaluate((element) => element === document.activeElement)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };
    await press('Close report');
    await press('Dismiss');
    await page.getByText('No open reports.').waitFor();
    await press(`Lift the ban of ${bo.username}`);
    await page.getByText('Nobody is muted or banned.').waitFor();
  });

  test('members have no such part; an admin has it in a public room without being in it', async () => {
    const { room, cy } = await reported(stage);
    const member = await stage.seat({ login: cy, path: `/rooms/${room.id}/about` });
    await member.page.getByText(/ members$/).waitFor();
    await member.showRoomParts();
    expect(await member.roomPart(/Moderation/).count()).toBe(0);
    await member.page.goto(`/rooms/${room.id}/moderation`);
    await member.page.getByText('Only moderators can see this').waitFor();

    const root = await stage.account('root');
    expect((await runCommand(stage.server, ['admin', 'grant', root.username])).code).toBe(0);
    const admin = await stage.seat({ login: root, path: `/rooms/${room.id}/about` });
    await admin.goToRoomPart('Moderation (1)');
    await admin.page.getByTestId('report').getByText('Buy now!').waitFor();
  });
});

onStage('the composer of somebody who is muted', (stage) => {
  async function seatOfMuted() {
    const reportedRoom = await reported(stage);
    const { room, ann, bo } = reportedRoom;
    const mutes = `/api/v1/rooms/${room.id}/mutes/${bo.userId}`;
    const mute = async (ms: number) => {
      const json = { until: new Date(Date.now() + ms).toISOString(), reason: 'Advertising' };
      const { status } = await send(stage.server, mutes, { method: 'PUT', token: ann.accessToken, json });
      expect(status).toBe(204);
    };
    const lift = async () => {
      const { status } = await send(stage.server, mutes, { method: 'DELETE', token: ann.accessToken });
      expect(status).toBe(204);
    };
    const seat = await stage.seat({ login: bo, path: `/rooms/${room.id}` });
    await seat.composer.waitFor();
    return { ...reportedRoom, seat, mute, lift };
  }

  test('says until when and why, at once; reactions are refused with the same words; it is back when the mute is lifted', async () => {
    const { room, messageId, seat, mute, lift } = await seatOfMuted();
    const { page } = seat;
    await seat.composer.fill('Half a');
    await mute(3_600_000);
    const words = /^A moderator muted you here until .+: Advertising$/;
    const bar = page.getByTestId('muted');
    await bar.filter({ hasText: words }).waitFor();
    expect(await seat.composer.count()).toBe(0);
    await seat.message('Buy now!').hover();
    await page
      .getByRole('button', { name: /^React with/ })
      .first()
      .click();
    await page.getByText(words).nth(1).waitFor();
    expect(await page.getByTestId('message-actions').getByRole('button', { name: 'Reply' }).count()).toBe(0);
    await checkScreen(seat, 'muted');

    await page.reload();
    await bar.filter({ hasText: words }).waitFor();
    expect(await seat.composer.count()).toBe(0);
    await page.goto(`/rooms/${room.id}/t/${messageId}`);
    await page.getByTestId('thread-panel').getByTestId('muted').filter({ hasText: words }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.goto(`/rooms/${room.id}`);
    await bar.waitFor();

    await lift();
    await bar.waitFor({ state: 'detached' });
    await soon(() => seat.composer.inputValue()).toBe('Half a');
    await seat.say('a text again');
    await seat.message('a text again').waitFor();
  });

  test('is back by itself when the time is over', async () => {
    const { seat, mute } = await seatOfMuted();
    await mute(6000);
    await seat.page.getByTestId('muted').waitFor();
    await seat.page.getByTestId('muted').waitFor({ state: 'detached' });
    await seat.say('on time');
    await seat.message('on time').waitFor();
  });
});
