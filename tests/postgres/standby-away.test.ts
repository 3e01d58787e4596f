import { describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { whyNoPostgres } from '../support/postgres.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, readHistory, signUp } from '../support/users.ts';
import { onDatabase } from './kill-postgres.ts';
import { PostgresPair } from './postgres-pair.ts';

describe.skipIf(whyNoPostgres() !== undefined)('while the synchronous standby is away', () => {
  it('nothing is acknowledged and reads go on; once it is back, each text is there once', async () => {
    await using pair = await PostgresPair.start({ isSynchronous: true });
    await using server = await ServerProcess.start({ env: onDatabase(pair.url) });
    const { pid } = server;
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const line = await RoomLine.enter(server, ann, room.id);
    line.say('before', 'before');
    await line.waitFor('ack', ({ cid }) => cid === 'before');
    await pair.standby.kill();

    line.say('meanwhile', 'meanwhile');
    const refused = await line.waitFor('error', ({ cid }) => cid === 'meanwhile');
    expect(refused).toMatchObject({ code: 'service_unavailable', retryable: true });
    expect((await send(server, '/ready')).status).toBe(503);
    const history = await send(server, `/api/v1/rooms/${room.id}/messages`, { token: ann.accessToken });
    expect(history.status).toBe(200);
    expect(line.of('ack').map(({ cid }) => cid)).toEqual(['before']);

    await pair.standby.restart();
    line.say('meanwhile', 'meanwhile');
    await line.waitFor('ack', ({ cid }) => cid === 'meanwhile');
    const contents = (await readHistory(server, ann, room.id)).map(({ content }) => content);
    expect(contents).toEqual(['before', 'meanwhile']);
    expect(server.pid).toBe(pid);
    await line.close();
  });
});
