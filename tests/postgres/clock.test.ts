import { describe, expect, it } from 'vitest';
import { FakeClock, whyNoFakeClock } from '../faults/fake-clock.ts';
import { send } from '../support/http.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, tryUpgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, signUp } from '../support/users.ts';
import { onDatabase } from './kill-postgres.ts';

const HOUR_S = 3600;
const reason = whyNoPostgres() ?? whyNoFakeClock();

describe.skipIf(reason !== undefined && process.env.CI === undefined)(
  "the host's clock on PostgreSQL",
  () => {
    it.each([HOUR_S, -HOUR_S])(
      'a jump of %d s changes nothing: tokens, tickets and times follow the database',
      async (jumpS) => {
        await using postgres = await PostgresServer.start();
        await using clock = await FakeClock.make();
        await using server = await ServerProcess.start({
          env: { ...onDatabase(await postgres.createDatabase()), ...clock.env },
        });
        const ann = await signUp(server);
        const room = await createRoom(server, ann);
        const ticket = await issueTicket(server, ann, room.id);
        await clock.jumpTo(jumpS);
        expect((await send(server, '/api/v1/rooms', { token: ann.accessToken })).status).toBe(200);
        expect((await tryUpgrade(server, '/ws', { protocols: offering(ticket) })).status).toBe(101);
        const line = await RoomLine.enter(server, ann, room.id);
        line.say('hello', 'cid');
        const { created_at } = await line.waitFor('ack');
        expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan((HOUR_S * 1000) / 2);
        await line.close();
      },
    );
  },
);
