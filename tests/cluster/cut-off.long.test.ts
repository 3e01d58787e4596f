/** Processes lose their way to the database: one of two, or both. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CLOSE } from '../../protocol/constants.ts';
import { type Fate, Relay } from '../postgres/relay.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** Ten seconds of patience, and eight in which the users are sent away. */
const MOVED_WITHIN_MS = 90_000;
/** Well beyond both. */
const OUTAGE_MS = 30_000;

describe.skipIf(whyNoCluster() !== undefined)('two processes', () => {
  test.each([
    ['are cut', 'lose'],
    ['stay open, and nothing comes through', 'swallow'],
  ] as const)(
    'the connections of one to the database %s: its users are sent to the other, and nobody sees them leave',
    async (_, fate) => {
      await using relays = new Relays();
      await using cluster = await Cluster.start({ processes: 2, databaseUrlOf: relays.before });
      const [cutOff, other] = [cluster.process(0), cluster.process(1)];
      const [ann, bo, cy] = [await signUp(cutOff), await signUp(other), await signUp(cutOff)];
      const { id: roomId } = await createRoom(other, bo);
      const far = await ChatClient.enter(other, bo, roomId);
      const near = await ChatClient.enter(cutOff, ann, roomId);
      const line = await RoomLine.enter(cutOff, cy, roomId);
      for (const { userId } of [ann, cy]) await far.waitFor('join', (join) => join.user_id === userId);

      relays.all[0]?.(fate);
      await eventually(
        'its users are sent away',
        () => !(near.isOpen || line.isOpen) || undefined,
        MOVED_WITHIN_MS,
      );
      expect(await near.closed).toMatchObject({ code: CLOSE.goingAway });
      expect(await line.closed).toMatchObject({ code: CLOSE.restart });
      expect(line.of('restart')).toHaveLength(1);
      expect(far.of('leave')).toEqual([]);
      const back = await ChatClient.enter(other, ann, roomId);
      await RoomLine.enter(other, cy, roomId);
      expect(back.of('join')).toMatchObject([{ user_id: ann.userId, online: 3 }]);
      await cutOff.kill();
      expect(far.of('leave')).toEqual([]);
      expect(far.of('join')).toHaveLength(3);
    },
  );

  test('none of them reaches the database: nobody is sent away, typing goes on, and texts are refused until it is back', async () => {
    await using relays = new Relays();
    await using cluster = await Cluster.start({ processes: 2, databaseUrlOf: relays.before });
    const [one, two] = [cluster.process(0), cluster.process(1)];
    const [ann, bo] = [await signUp(one), await signUp(two)];
    const { id: roomId } = await createRoom(one, ann);
    await addMember(one, ann, roomId, bo.userId);
    const [annLine, boLine] = [await RoomLine.enter(one, ann, roomId), await RoomLine.enter(two, bo, roomId)];

    for (const cut of relays.all) cut('swallow');
    await sleep(OUTAGE_MS);
    expect([annLine.isOpen, boLine.isOpen]).toEqual([true, true]);
    for (const server of [one, two]) expect((await send(server, '/ready')).status).toBe(503);
    annLine.type(true);
    await boLine.waitFor('typing', ({ user_id }) => user_id === ann.userId);
    annLine.say('meanwhile', 'meanwhile');
    expect(await annLine.waitFor('error', ({ cid }) => cid === 'meanwhile')).toMatchObject({
      retryable: true,
    });

    for (const heal of relays.all) heal('pass');
    for (const server of [one, two])
      await eventually('ready', async () => (await send(server, '/ready')).status === 200 || undefined);
    await annLine.post('meanwhile', 'meanwhile');
    await boLine.waitFor('message', ({ content }) => content === 'meanwhile');
    for (const line of [annLine, boLine]) {
      expect(line.isOpen).toBe(true);
      expect(line.of('restart')).toEqual([]);
    }
  });
});

/** One before the database of each process. */
class Relays {
  /** Sets what happens to all that the process sends to the database. */
  readonly all: ((fate: Fate) => void)[] = [];
  readonly #relays: Relay[] = [];

  readonly before = async (_: number, address: string): Promise<string> => {
    const url = new URL(address);
    const relay = await Relay.start({ host: url.hostname, port: Number(url.port) });
    this.#relays.push(relay);
    this.all.push((fate) => {
      relay.decide = () => fate;
    });
    url.port = String(relay.port);
    return url.href;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    for (const relay of this.#relays) await relay[Symbol.asyncDispose]();
  }
}
