/** One process of two loses its way to the database. */
import { expect, test } from 'vitest';
import { CLOSE } from '../../protocol/constants.ts';
import { Relay } from '../postgres/relay.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { createRoom, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** Ten seconds of patience, and eight in which the users are sent away. */
const MOVED_WITHIN_MS = 90_000;

test.skipIf(whyNoCluster() !== undefined)(
  'its users are sent to the other process, and nobody there sees them leave',
  async () => {
    const relays: Relay[] = [];
    await using cluster = await Cluster.start({
      processes: 2,
      async databaseUrlOf(index, address) {
        if (index > 0) return address;
        const url = new URL(address);
        const relay = await Relay.start({ host: url.hostname, port: Number(url.port) });
        relays.push(relay);
        url.port = String(relay.port);
        return url.href;
      },
    });
    const [cutOff, other] = [cluster.process(0), cluster.process(1)];
    const [ann, bo] = [await signUp(cutOff), await signUp(other)];
    const { id: roomId } = await createRoom(other, bo);
    const far = await ChatClient.enter(other, bo, roomId);
    const near = await ChatClient.enter(cutOff, ann, roomId);
    await far.waitFor('join', (join) => join.user_id === ann.userId);

    for (const relay of relays) relay.decide = () => 'lose';
    await eventually('its users are sent away', () => !near.isOpen || undefined, MOVED_WITHIN_MS);
    expect(await near.closed).toMatchObject({ code: CLOSE.goingAway });
    expect(far.of('leave')).toEqual([]);
    const back = await ChatClient.enter(other, ann, roomId);
    expect(back.of('join')).toMatchObject([{ user_id: ann.userId, online: 2 }]);
    await cutOff.kill();
    expect(far.of('leave')).toEqual([]);
    expect(far.of('join')).toHaveLength(2);
    await Promise.all([back.close(), far.close()]);
    for (const relay of relays) await relay[Symbol.asyncDispose]();
  },
);
