import { hkdfSync } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokensSchema } from '../../protocol/rest/accounts.ts';
import { roomsResponse } from '../../protocol/rest/rooms.ts';
import { openForWriting } from '../../server/data/storage/sqlite/database.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { decodeClaims, decodeHeader, forge } from '../support/jwt.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { offering, tryUpgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, type Login, logIn, signUp } from '../support/users.ts';

const SECRET = 'one secret for two databases, long enough for anybody';
const FILES = ['roomful.db', 'roomful.db-wal', 'roomful.db-shm'];

const listRooms = (server: ServerProcess, token: string) => send(server, '/api/v1/rooms', { token });
const refresh = (server: ServerProcess, refreshToken: string) =>
  post(server, '/api/v1/auth/refresh', { refresh_token: refreshToken });

/** The restore of docs/OPERATIONS.md, of the database as it is when this is called. */
async function backUp(server: ServerProcess): Promise<() => Promise<void>> {
  const folder = join(server.dataDir, 'data');
  const backup = join(server.dataDir, 'backup.db');
  await server.stop();
  await copyFile(join(folder, 'roomful.db'), backup);
  await server.restart();
  return async () => {
    await server.stop();
    for (const name of FILES) await rm(join(folder, name), { force: true });
    await copyFile(backup, join(folder, 'roomful.db'));
    const database = openForWriting(join(folder, 'roomful.db'));
    database.exec("DELETE FROM meta WHERE key = 'epoch'");
    database.close();
    await server.restart();
  };
}

describe('access tokens and tickets are bound to the epoch of the database', () => {
  test('another database with the same JWT_SECRET and the same ids refuses them', async () => {
    await using one = await ServerProcess.start({ env: { JWT_SECRET: SECRET } });
    await using other = await ServerProcess.start({ env: { JWT_SECRET: SECRET } });
    const ann = await signUp(one);
    const bo = await signUp(other);
    expect(bo.userId).toBe(ann.userId);
    const room = await createRoom(one, ann);
    expect((await createRoom(other, bo)).id).toBe(room.id);
    expectRefusal(await listRooms(other, ann.accessToken), 401, 'invalid token');
    expectRefusal(await refresh(other, ann.refreshToken), 401, 'invalid refresh token');
    const ticket = await issueTicket(one, ann, room.id);
    expectRefusal(await tryUpgrade(other, '/ws', { protocols: offering(ticket) }), 401, 'invalid ws ticket');
    expect((await tryUpgrade(one, '/ws', { protocols: offering(ticket) })).status).toBe(101);
  });

  test.skipIf(whyNotEmbedded() !== undefined)(
    'after a restore, what was issued before it opens nothing, and everybody signs in again',
    async () => {
      await using server = await ServerProcess.start();
      const ann = await signUp(server);
      const thief = await logIn(server, ann.username);
      const room = await createRoom(server, ann);
      const restore = await backUp(server);

      // The backup lacks these: a user, a token exchange and a logout.
      const late = await signUp(server);
      const exchanged = expectReply(await refresh(server, ann.refreshToken), 200, tokensSchema);
      await post(server, '/api/v1/auth/logout', { refresh_token: thief.refreshToken });
      const ticket = await issueTicket(server, late, room.id);
      await restore();

      const newcomer = await signUp(server);
      // Ids assigned after the backup are not assigned again.
      expect(newcomer.userId).toBeGreaterThan(late.userId);
      for (const token of [late.accessToken, ann.accessToken, exchanged.access_token, thief.accessToken])
        expectRefusal(await listRooms(server, token), 401, 'invalid token');
      for (const token of [late, ann, thief].map((login: Login) => login.refreshToken))
        expectRefusal(await refresh(server, token), 401, 'invalid refresh token');
      expectRefusal(await refresh(server, exchanged.refresh_token), 401, 'invalid refresh token');
      expectRefusal(
        await tryUpgrade(server, '/ws', { protocols: offering(ticket) }),
        401,
        'invalid ws ticket',
      );
      const again = await logIn(server, ann.username);
      expectReply(await listRooms(server, again.accessToken), 200, roomsResponse);
    },
  );

  test('an access token of a version that did not bind it is 401, and the login goes on with a refresh', async () => {
    await using server = await ServerProcess.start({ env: { JWT_SECRET: SECRET } });
    const ann = await signUp(server);
    const oldKey = new Uint8Array(hkdfSync('sha256', SECRET, '', 'roomful access', 32));
    const token = forge(decodeHeader(ann.accessToken), decodeClaims(ann.accessToken), oldKey);
    expectRefusal(await listRooms(server, token), 401, 'invalid token');
    const pair = expectReply(await refresh(server, ann.refreshToken), 200, tokensSchema);
    expectReply(await listRooms(server, pair.access_token), 200, roomsResponse);
  });
});
