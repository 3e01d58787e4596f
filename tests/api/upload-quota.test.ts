/** The quotas of files under a race, over HTTP, on both databases. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uploadedFile } from '../../protocol/rest/files.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { ServerProcess } from '../support/server-process.ts';
import { beginUpload } from '../support/uploads.ts';
import { createRoom, type Login, signUpCrowd } from '../support/users.ts';

const MIB = 1024 * 1024;
const RACERS = 50;

type Servers = (
  env: Record<string, string>,
) => Promise<AsyncDisposable & { processes: readonly ServerProcess[] }>;

async function alone(env: Record<string, string>) {
  const server = await ServerProcess.start({ env });
  return { processes: [server], [Symbol.asyncDispose]: () => server.dispose() };
}

async function several(env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-files-'));
  const cluster = await Cluster.start({ processes: 2, env: { ...env, FILES_DIR: folder } });
  return {
    processes: cluster.processes,
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** 50 uploads of 1 MiB that begin at once, of these people in turn, each at the next process. */
async function race(processes: readonly ServerProcess[], people: Login[]): Promise<Map<number, number>> {
  const [server] = processes;
  const [owner] = people;
  if (!server || !owner) throw new Error('a race needs a server and people');
  const roomId = String((await createRoom(server, owner)).id);
  const replies = await Promise.all(
    Array.from({ length: RACERS }, (_, index) =>
      beginUpload(
        processes[index % processes.length] ?? server,
        people[index % people.length] ?? owner,
        MIB,
        { room_id: roomId },
      ),
    ),
  );
  const counts = new Map<number, number>();
  for (const { status, json } of replies) {
    if (status === 201) uploadedFile.parse(json);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}

describe.each<[string, Servers, string | undefined]>([
  ['one process', alone, undefined],
  ['two processes on PostgreSQL', several, whyNoCluster()],
])('%s: of 50 uploads that begin at once', (_, start, reason) => {
  it.skipIf(reason !== undefined)('a person gets what the quota of a person allows', async () => {
    await using servers = await start({ FILES_PER_USER_MIB: '3' });
    const people = await signUpCrowd(servers.processes[0] ?? { port: 0 }, 1);
    expect(await race(servers.processes, people)).toEqual(
      new Map([
        [201, 3],
        [409, RACERS - 3],
      ]),
    );
  });

  it.skipIf(reason !== undefined)('20 people get what the quota of the server allows', async () => {
    await using servers = await start({ FILES_TOTAL_MIB: '17' });
    const people = await signUpCrowd(servers.processes[0] ?? { port: 0 }, 20);
    expect(await race(servers.processes, people)).toEqual(
      new Map([
        [201, 17],
        [507, RACERS - 17],
      ]),
    );
  });
});
