/** What ends a change over the line, or sends it again: another user, the end of the page, a server that asks to wait. */
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { ChangesStage } from '../testing/changes-stage.ts';
import { BO, message } from '../testing/messages.ts';
import { soon } from '../testing/room-stage.ts';

const THUMB = { kind: 'reaction', emoji: '👍', on: true } as const;
const OFFLINE = Array.from({ length: 9 }, () => new ApiError(0, 'no response'));
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

let stage: ChangesStage;
afterEach(() => stage.stop());

test('a change on its way is never sent in the name of another user who signs in', async () => {
  stage = await ChangesStage.start();
  stage.make(THUMB);
  await stage.wrote(1);
  stage.signedIn.line.userId = BO.user_id;
  await stage.cut();
  await settled();
  expect(stage.requests.asked).toEqual([]);
  expect(stage.items.size).toBe(1);
});

test('a change that waits for a retry is not sent over the line of another user', async () => {
  stage = await ChangesStage.start({ isOpen: false });
  stage.requests.failures.push(...OFFLINE);
  stage.make(THUMB);
  await soon(() => stage.requests.asked.length === 1);
  stage.signedIn.line.userId = BO.user_id;
  void stage.room;
  await soon(() => stage.server.heard.length > 0);
  await settled();
  expect(stage.written).toEqual([]);
  expect(stage.items.size).toBe(1);
});

test('the end of the page ends the wait for an answer; the change stays, and no refusal is told', async () => {
  stage = await ChangesStage.start();
  stage.make(THUMB);
  await stage.wrote(1);
  stage.changes.close();
  stage.refuse({ code: 'not_allowed', content: 'not allowed' });
  await settled();
  expect(stage.refused).toEqual([]);
  expect(stage.requests.asked).toEqual([]);
  expect(stage.items.size).toBe(1);
});

test('as the page goes away, a deletion that waits behind another change is sent, too', async () => {
  stage = await ChangesStage.start();
  stage.make(THUMB);
  await stage.wrote(1);
  stage.make({ kind: 'delete' });
  stage.changes.hurry();
  await soon(() => stage.requests.asked.length === 1);
  expect(stage.requests.asked).toEqual(['delete 10 keepalive']);
});

test('neither a new line, another change nor a retry shortens the time that the server asked to wait', async () => {
  stage = await ChangesStage.start();
  stage.make(THUMB);
  await stage.wrote(1);
  stage.refuse({ code: 'too_fast', retryable: true, retry_after_ms: 30_000 });
  await settled();
  await stage.cut();
  await stage.comesBack();
  await settled();
  stage.make({ kind: 'delete' });
  stage.changes.retryNow();
  await settled();
  expect([stage.written.length, stage.requests.asked.length]).toEqual([1, 0]);
  stage.stage.clock.advance(30_000);
  await soon(() => stage.written.length + stage.requests.asked.length > 1);
});

test('a change is never sent to another database, also not as the page goes away', async () => {
  stage = await ChangesStage.start();
  stage.make(THUMB);
  await stage.wrote(1);
  stage.make({ kind: 'delete' });
  stage.epoch = 'another';
  stage.changes.hurry();
  await stage.cut();
  await soon(() => stage.items.size === 0);
  expect(stage.requests.asked).toEqual([]);
  expect(stage.refused).toEqual(['reaction: other_database', 'delete: other_database']);
});

test("an edit that follows on the author's own earlier one, whose answer was lost, is no conflict", async () => {
  stage = await ChangesStage.start();
  stage.make({ kind: 'edit', content: 'first try', base: 0 });
  await stage.wrote(1);
  stage.make({ kind: 'edit', content: 'second try', base: 0 });
  // The first took effect, and the line died before the answer.
  stage.requests.failures.push(new ApiError(409, 'message changed'));
  stage.requests.present = message(1, { content: 'first try', revision: 1, changed_seq: 2 });
  await stage.cut();
  await soon(() => stage.items.size === 0);
  expect(stage.requests.asked).toEqual(['edit 10 second try on 0', 'edit 10 second try on 1']);
});
