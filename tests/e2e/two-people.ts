/** Two members of a room, and how one of them reaches a message by keyboard. */
import { createRoom } from '../support/users.ts';
import type { Person } from './person.ts';
import type { Seat } from './seat.ts';
import type { Stage } from './stage.ts';

/** Ann owns the room, and bo has joined it. */
export async function two(stage: Stage, annsSeat: Seat = {}, bosSeat: Seat = {}) {
  const [login, other] = await Promise.all([stage.account('ann'), stage.account('bo')]);
  const room = await createRoom(stage.server, login);
  const [ann, bo] = await Promise.all([
    stage.seat({ login, path: `/rooms/${room.id}`, ...annsSeat }),
    stage.seat({ login: other, path: `/rooms/${room.id}`, ...bosSeat }),
  ]);
  await Promise.all([ann.isIn(room.name), bo.isIn(room.name)]);
  await bo.button('Join').click();
  // Its code comes after the first paint.
  await bo.button('Join').waitFor({ state: 'detached' });
  return { ann, bo, room, login, other };
}

/** Reaches the last message by keyboard. */
export async function focusLast({ page, composer }: Person): Promise<void> {
  await composer.focus();
  await page.keyboard.press('Shift+Tab');
  for (let tries = 0; tries < 8; tries++) {
    if (await page.evaluate(() => document.activeElement?.matches('[data-row=message]'))) return;
    await page.keyboard.press('Shift+Tab');
  }
  throw new Error('no message takes the focus');
}
