import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { meResponse } from '../../protocol/rest/people.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { type Login, signUp } from '../support/users.ts';

const CLI = fileURLToPath(new URL('../../server/process/cli/main.js', import.meta.url));

/** The codes of the links in the log, once there are `count` of them: one for each start without an admin. */
function codesOf(server: ServerProcess, count: number): Promise<string[]> {
  return eventually(`${count} links`, async () => {
    const codes = loggedCodes(server);
    return codes.length >= count ? codes : undefined;
  });
}

function loggedCodes(server: ServerProcess): string[] {
  return server.logs.flatMap(({ link }) => /\/setup\/([\w-]{22})$/.exec(String(link))?.[1] ?? []);
}

const claim = (server: ServerProcess, login: Login, code: unknown) =>
  post(server, '/api/v1/setup', { code }, { token: login.accessToken });

async function roleOf(server: ServerProcess, login: Login): Promise<string> {
  return expectReply(await send(server, '/api/v1/me', { token: login.accessToken }), 200, meResponse).role;
}

/** `roomful admin …` with the data of this server. */
async function admin(
  server: ServerProcess,
  args: string[],
  {
    dataDir = join(server.dataDir, 'data'),
    env = {},
  }: { dataDir?: string; env?: Record<string, string> } = {},
) {
  const run = promisify(execFile)(process.execPath, [CLI, 'admin', ...args], {
    cwd: server.dataDir,
    env: {
      ...{
        PATH: process.env.PATH ?? '',
        DATA_DIR: dataDir,
        JWT_SECRET: 'not used, and long enough to be taken',
      },
      ...(server.databaseUrl === undefined ? {} : { DATABASE_URL: server.databaseUrl }),
      ...env,
    },
  });
  return await run.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
  );
}

describe('the setup link', () => {
  // On PostgreSQL all processes have one link.
  test.skipIf(whyNotEmbedded() !== undefined)(
    'each start without an admin logs a link of its own, and not on standard output',
    async () => {
      await using server = await ServerProcess.start();
      expect(await codesOf(server, 1)).toHaveLength(1);
      await server.stop();
      await server.restart();
      const [first = '', second = ''] = await codesOf(server, 2);
      expect(second).not.toBe(first);
      expect(server.stdout).not.toContain('setup');
      const ann = await signUp(server);
      expectRefusal(await claim(server, ann, first), 404, 'not found');
    },
  );

  test('its code makes one user admin, once; nobody is admin before, and later starts log none', async () => {
    await using server = await ServerProcess.start();
    const [ann, bo] = [await signUp(server), await signUp(server)];
    const [code = ''] = await codesOf(server, 1);
    expect(await roleOf(server, ann)).toBe('member');
    for (const wrong of ['', 'x', `${code}x`, code.slice(1)])
      expectRefusal(await claim(server, ann, wrong), 404, 'not found');
    expectRefusal(await claim(server, ann, 7), 400, 'invalid payload');
    expectRefusal(await post(server, '/api/v1/setup', { code }), 401, 'missing bearer token');
    const racers = await Promise.all([ann, bo].map((login) => claim(server, login, code)));
    expect(racers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const roles = [await roleOf(server, ann), await roleOf(server, bo)].sort();
    expect(roles).toEqual(['admin', 'member']);
    expectRefusal(await claim(server, ann, code), 404, 'not found');
    await server.stop();
    await server.restart();
    await server.stop();
    expect(loggedCodes(server)).toEqual([code]);
  });
});

describe.skipIf(whyNoCluster() !== undefined)('with several processes, also when they restart', () => {
  test('one link works at each of them, once; without an admin again there is another', async () => {
    await using cluster = await Cluster.start({ processes: 2 });
    const [one, two] = [cluster.process(0), cluster.process(1)];
    const [code = ''] = await codesOf(one, 1);
    expect(await codesOf(two, 1)).toEqual([code]);
    await cluster.replace(1);
    expect(await codesOf(cluster.process(1), 1)).toEqual([code]);

    const [ann, bo] = [await signUp(one), await signUp(one)];
    expect((await claim(cluster.process(1), ann, code)).status).toBe(200);
    const demote = "UPDATE users SET role = 'member' WHERE role = 'admin'";
    await cluster.sql(demote);
    // Neither the process that made it, nor one that starts later, takes the old code.
    for (const server of [one, cluster.process(1)])
      expectRefusal(await claim(server, bo, code), 404, 'not found');
    await cluster.replace(0);
    expectRefusal(await claim(cluster.process(0), bo, code), 404, 'not found');
    const [next = ''] = await codesOf(cluster.process(0), 1);
    expect(next).not.toBe(code);

    // Any grant ends it, whoever makes it.
    await cluster.sql(demote);
    const { databaseUrl, redis } = cluster;
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
    const granted = await admin(cluster.process(0), ['grant', ann.username], { env });
    expect(granted).toEqual({ code: 0, text: `${ann.username} is now an admin.\n` });
    await cluster.sql(demote);
    for (const server of cluster.processes) expectRefusal(await claim(server, bo, next), 404, 'not found');
  });
});

describe('roomful admin grant NAME', () => {
  test('makes a user admin while the server is stopped, however the name is spelt', async () => {
    await using server = await ServerProcess.start();
    const ann = await signUp(server);
    await server.stop();
    const { username } = ann;
    expect(await admin(server, ['grant', username.toUpperCase()])).toEqual({
      ...{ code: 0, text: `${username} is now an admin.\n` },
    });
    expect(await admin(server, ['grant', username])).toEqual({
      ...{ code: 0, text: `${username} is already an admin.\n` },
    });
    const missed = await admin(server, ['grant', 'nobody']);
    expect(missed).toEqual({ code: 1, text: 'There is no user "nobody".\n' });
    await server.restart();
    expect(await roleOf(server, ann)).toBe('admin');
  });

  test.skipIf(whyNotEmbedded() !== undefined)(
    'works while the server runs; says that there is no database, and how it is used',
    async () => {
      await using server = await ServerProcess.start();
      const { username } = await signUp(server);
      expect(await admin(server, ['grant', username])).toEqual({
        ...{ code: 0, text: `${username} is now an admin.\n` },
      });
      expect(
        await admin(server, ['grant', username], { dataDir: join(server.dataDir, 'elsewhere') }),
      ).toMatchObject({
        code: 1,
        text: expect.stringContaining('There is no database in'),
      });
      for (const args of [[], ['grant'], ['revoke', 'ann'], ['grant', 'a', 'b']])
        expect(await admin(server, args)).toMatchObject({ code: 2, text: expect.stringContaining('Usage:') });
    },
  );
});
