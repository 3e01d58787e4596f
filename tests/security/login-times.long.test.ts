/** What the time of a response tells. Run it on a machine that does nothing else. */
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { post } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { signUp, uniqueName } from '../support/users.ts';

const ROUNDS = 200;
const PATH = '/api/v1/auth/login';

const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

test('a login of an unknown user takes as long as one with a wrong password: they differ by less than 2 ms', async () => {
  await using server = await ServerProcess.start();
  const { username } = await signUp(server);
  const timeOf = async (name: string, localAddress: string) => {
    const begun = performance.now();
    const reply = await post(
      server,
      PATH,
      { username: name, password: 'not the password' },
      { localAddress },
    );
    expect(reply.status).toBe(401);
    return performance.now() - begun;
  };
  const differences: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // From an address of its own, as the tenth failure of an address is the last. Each is the first half of the times.
    const from = `127.0.${(round >> 7) + 3}.${(round & 127) + 1}`;
    const nobody = uniqueName('nobody');
    if (round % 2 === 0) differences.push((await timeOf(username, from)) - (await timeOf(nobody, from)));
    else differences.push(-(await timeOf(nobody, from)) + (await timeOf(username, from)));
  }
  expect(Math.abs(median(differences))).toBeLessThan(2);
});
