/** Changes of messages over the line, on a fake server and a clock that tests move. */
import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { Emitter } from '../emitter.ts';
import { isLive } from '../room/room-state.ts';
import { ChangesStage, MESSAGE_ID } from '../testing/changes-stage.ts';
import { BO, ME, message, ROOM } from '../testing/messages.ts';
import { soon, until } from '../testing/room-stage.ts';
import { type ChangeFrame, type ChangesLine, type ChangesLineEvents, sendOverLine } from './changes-line.ts';

const EDIT = { kind: 'edit', content: 'mine', base: 0 } as const;
const THUMB = { kind: 'reaction', emoji: '👍', on: true } as const;
const PIN = { kind: 'pin', on: true } as const;
const OFFLINE = Array.from({ length: 9 }, () => new ApiError(0, 'no response'));
const OF = { room_id: ROOM, id: MESSAGE_ID };
const thumbs = (...user_ids: number[]) => [{ emoji: '👍', count: user_ids.length, user_ids }];
const deleted = { content: '', deleted_at: '2026-01-01T00:00:00Z', deleted_by: BO.user_id };

/** Lets what was written arrive, if anything was. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

let stage: ChangesStage;
afterEach(() => stage.stop());

async function start(options?: Parameters<typeof ChangesStage.start>[0]): Promise<ChangesStage> {
  stage = await ChangesStage.start(options);
  return stage;
}

describe('a change while the line is open', () => {
  test('is a frame with a ref of its own, one after the other, and no request', async () => {
    const { changes, requests, items } = await start();
    for (const wanted of [EDIT, THUMB, { ...THUMB, emoji: '🎉', on: false }, { kind: 'delete' } as const])
      stage.make(wanted);
    for (let count = 1; count <= 4; count++) {
      await stage.wrote(count);
      expect(items.size).toBe(5 - count);
      stage.server.tell({ type: 'changed', ...OF, ref: stage.refs[count - 1] ?? '', changed_seq: 1 + count });
    }
    await soon(() => items.size === 0);
    expect(stage.written).toEqual([
      { type: 'edit', ...OF, content: 'mine', base_revision: 0 },
      { type: 'react', ...OF, emoji: '👍', on: true },
      { type: 'react', ...OF, emoji: '🎉', on: false },
      { type: 'delete', ...OF },
    ]);
    expect(new Set(stage.refs).size).toBe(4);
    expect(requests.asked).toEqual([]);
    expect(changes.all.every(({ confirmed }) => confirmed)).toBe(true);
  });

  test('needs no room that is open', async () => {
    const { changes } = await start();
    changes.make(9, 90, THUMB);
    await stage.wrote(1);
    expect(stage.written).toEqual([{ type: 'react', room_id: 9, id: 90, emoji: '👍', on: true }]);
  });

  test('is a request for a pin, a bookmark, and a deletion as the page goes away', async () => {
    const { changes, requests, items } = await start();
    stage.make(PIN);
    stage.make({ kind: 'saved', on: true });
    await soon(() => items.size === 0);
    changes.make(ROOM, MESSAGE_ID, { kind: 'delete' }, { delayMs: 6000 });
    changes.hurry();
    await soon(() => items.size === 0);
    expect(requests.asked).toEqual(['pin 10 on', 'saved 10 on', 'delete 10 keepalive']);
    expect(stage.written).toEqual([]);
  });

  test('is a request without a line', async () => {
    const { requests, items } = await start({ isOpen: false });
    stage.make(EDIT);
    stage.make(THUMB);
    await soon(() => items.size === 0);
    expect(requests.asked).toEqual(['edit 10 mine on 0', '👍 10 on']);
  });
});

describe('a line that dies before the answer', () => {
  test('leaves the change to a request', async () => {
    const { requests, items } = await start();
    stage.make(THUMB);
    await stage.wrote(1);
    await stage.cut();
    await soon(() => items.size === 0);
    expect(requests.asked).toEqual(['👍 10 on']);
  });

  test('and a server that is away: the change is sent again on the next line, with another ref', async () => {
    const { requests, items } = await start();
    requests.failures.push(...OFFLINE);
    stage.make(THUMB);
    await stage.wrote(1);
    await stage.cut();
    await soon(() => requests.asked.length === 1);
    expect(items.size).toBe(1);
    await stage.comesBack();
    await stage.wrote(2);
    expect(stage.written[1]).toEqual(stage.written[0]);
    expect(stage.refs[1]).not.toBe(stage.refs[0]);
    await stage.confirm(2);
  });

  test('sends nothing that was replaced meanwhile', async () => {
    const { requests, items } = await start();
    stage.make(THUMB);
    await stage.wrote(1);
    stage.make({ ...THUMB, on: false });
    await stage.cut();
    await soon(() => items.size === 0);
    expect(requests.asked).toEqual(['👍 10 off']);
  });

  test('sends nothing that was taken back meanwhile', async () => {
    const { changes, requests } = await start();
    changes.discard(stage.make(THUMB).key);
    const { key } = stage.make({ ...THUMB, emoji: '🎉' });
    await stage.wrote(1);
    changes.discard(key);
    await stage.cut();
    await settled();
    expect(requests.asked).toEqual([]);
  });

  test('and a database that was replaced: the change is refused', async () => {
    const { requests, refused } = await start();
    requests.failures.push(...OFFLINE);
    stage.make(THUMB);
    await stage.wrote(1);
    stage.server.admits = false;
    stage.server.restore(1);
    await until(stage.room, ({ connection }) => connection.status === 'waiting');
    await soon(() => requests.asked.length === 1);
    stage.server.admits = true;
    stage.stage.clock.advance(stage.stage.clock.nextInMs ?? 0);
    await until(stage.room, isLive);
    await soon(() => refused.length === 1);
    expect(refused).toEqual(['reaction: other_database']);
    expect(stage.written).toHaveLength(1);
  });
});

describe('an answer that never comes', () => {
  test('is waited for 5 s, or until the end; then a request has to say it, and nothing listens any more', async () => {
    const { clock } = (await start({ isOpen: false })).stage;
    const events = new Emitter<ChangesLineEvents>();
    const sent: ChangeFrame[] = [];
    const listeners = { count: 0 };
    const line: ChangesLine = {
      userId: ME.id,
      send: (frame) => sent.push(frame) > 0,
      on: (name, listener) => {
        listeners.count++;
        const cancel = events.on(name, listener);
        return () => {
          listeners.count--;
          cancel();
        };
      },
    };
    const change = stage.make(THUMB);
    const answers: (number | null)[] = [];
    const { signal } = new AbortController();
    let silences = 0;
    const onSilent = () => {
      silences++;
    };
    void sendOverLine(line, change, { clock, signal, onSilent }).then((answer) => answers.push(answer));
    clock.advance(4999);
    await settled();
    expect(answers).toEqual([]);
    clock.advance(1);
    await settled();
    expect(answers).toEqual([null]);
    expect(silences).toBe(1);
    expect(sent).toHaveLength(1);
    expect(listeners.count).toBe(0);
    const end = new AbortController();
    void sendOverLine(line, change, { clock, signal: end.signal, onSilent }).then((answer) =>
      answers.push(answer),
    );
    end.abort();
    await settled();
    expect(answers).toEqual([null, null]);
    expect(silences).toBe(1);
    expect(listeners.count).toBe(0);
  });

  test('is waited for once: until the line opens anew, further changes are requests at once', async () => {
    const { requests } = await start();
    const { clock } = stage.stage;
    stage.make(THUMB);
    await stage.wrote(1);
    clock.advance(5000);
    await soon(() => stage.items.size === 0);
    stage.make({ kind: 'delete' });
    await soon(() => stage.items.size === 0);
    expect(stage.written).toHaveLength(1);
    expect(requests.asked.filter((asked) => !asked.startsWith('get'))).toHaveLength(2);
    await stage.cut();
    await stage.comesBack();
    stage.make({ ...THUMB, on: false });
    await stage.wrote(2);
  });
});

describe('a refusal over the line', () => {
  test('that is final withdraws the change with the words of the request, and the room stays open', async () => {
    const { refused, items } = await start();
    stage.make(THUMB);
    await stage.wrote(1);
    stage.refuse({ code: 'not_allowed', content: 'not allowed' });
    await soon(() => refused.length === 1);
    expect(refused).toEqual(['reaction: not allowed']);
    expect(items.size).toBe(0);
    expect(stage.look().reactions ?? []).toEqual([]);
    expect(stage.room.isOver).toBe(false);
    expect(isLive(stage.room.state)).toBe(true);
  });

  test('that is temporary repeats the change after retry_after_ms, and not earlier', async () => {
    const { requests } = await start();
    const { clock } = stage.stage;
    stage.make(THUMB);
    await stage.wrote(1);
    stage.refuse({ code: 'too_fast', retryable: true, retry_after_ms: 3000 });
    // The ping of the line comes later.
    await soon(() => clock.nextInMs === 3000);
    clock.advance(2999);
    await settled();
    expect(stage.written).toHaveLength(1);
    clock.advance(1);
    await stage.wrote(2);
    expect(requests.asked).toEqual([]);
    await stage.confirm(2);
  });

  test('of an edit of a text that has changed keeps both texts: the author chooses', async () => {
    const { requests, refused } = await start();
    stage.make(EDIT);
    await stage.wrote(1);
    stage.refuse({ code: 'message_changed', content: 'message changed' });
    await soon(() => stage.shown[0]?.conflict != null);
    expect(stage.shown).toMatchObject([{ wanted: { content: 'mine' }, conflict: { content: 'theirs' } }]);
    expect(refused).toEqual([]);
    stage.make({ ...EDIT, base: 1 });
    await stage.wrote(2);
    expect(stage.written[1]).toMatchObject({ content: 'mine', base_revision: 1 });
    expect(requests.asked).toEqual([]);
  });

  test.each(['invalid_content', 'invalid_frame', 'invalid_token', 'unknown_type'])(
    'of the frame or of the session is left to a request: %s',
    async (code) => {
      const { requests, refused } = await start();
      requests.failures.push(new ApiError(400, 'invalid payload'));
      stage.make(EDIT);
      await stage.wrote(1);
      stage.refuse({ code });
      await soon(() => refused.length === 1);
      expect(requests.asked).toEqual(['edit 10 mine on 0']);
      expect(refused).toEqual(['edit: invalid payload']);
    },
  );

  test('of another ref is none of this change', async () => {
    const { refused } = await start();
    stage.make(THUMB);
    await stage.wrote(1);
    stage.refuse({ code: 'not_allowed', ref: 'another' });
    await stage.confirm(2);
    expect(refused).toEqual([]);
  });
});

describe('a confirmed change is shown until the room has it', () => {
  test('and from then on the message is shown as it is', async () => {
    await start();
    stage.make(EDIT);
    await stage.wrote(1);
    await stage.confirm(2);
    expect(stage.look()).toMatchObject({ content: 'mine' });
    await stage.event(2, { content: 'mine', revision: 1 });
    expect(stage.look()).toBe(stage.room.state.messages[0]);
  });

  test('what others do to the message after it is seen at once: a deletion, and a later edit', async () => {
    await start();
    stage.make(EDIT);
    await stage.wrote(1);
    await stage.confirm(2);
    await stage.event(2, { content: 'mine', revision: 1 });
    await stage.event(3, { content: 'from another device', revision: 2 });
    expect(stage.look().content).toBe('from another device');
    await stage.event(4, deleted);
    expect(stage.look()).toEqual(message(1, { ...deleted, changed_seq: 4 }));
  });

  test('whichever comes first, the event or the answer', async () => {
    await start();
    stage.make(THUMB);
    await stage.wrote(1);
    await stage.event(2, { reactions: thumbs(ME.id) });
    expect(stage.look().reactions).toEqual(thumbs(ME.id));
    // Taken back on another device, before the answer has come.
    await stage.event(3, {});
    await stage.confirm(2);
    expect(stage.look().reactions ?? []).toEqual([]);
  });

  test('nothing is shown over a deletion, also before the answer', async () => {
    await start();
    for (const wanted of [EDIT, THUMB, PIN]) stage.make(wanted);
    await stage.event(2, deleted);
    expect(stage.look()).toEqual(message(1, { ...deleted, changed_seq: 2 }));
  });

  test('for two seconds at most', async () => {
    await start();
    stage.make(EDIT);
    await stage.wrote(1);
    await stage.confirm(2);
    stage.stage.clock.advance(2000);
    expect(stage.shown).toEqual([]);
    expect(stage.look().content).toBe('first');
  });

  test('a pin, whose response has no number, too: another one removes it, and that is seen at once', async () => {
    const { requests, items } = await start();
    requests.present = message(1, { pinned_at: '2026-01-01T00:00:00Z', changed_seq: 2 });
    stage.make(PIN);
    await soon(() => items.size === 0 && stage.shown[0]?.seq === 2);
    expect(stage.look().pinned_at).toBeDefined();
    await stage.event(2, { pinned_at: '2026-01-01T00:00:00Z' });
    await stage.event(3, {});
    expect(stage.look()).not.toHaveProperty('pinned_at');
  });
});
