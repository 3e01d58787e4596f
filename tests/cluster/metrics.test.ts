/** `/metrics` of several workers on one port. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { namesInDocs } from '../support/metric-names.ts';
import { RoomLine } from '../support/room-line.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';

const LINES = 4;

describe.skipIf(whyNoCluster() !== undefined)('/metrics of two workers', () => {
  test('one scrape has the figures of both, each with the number of its worker', async () => {
    await using cluster = await start();
    const server = cluster.process(0);
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const lines = await Promise.all(
      Array.from({ length: LINES }, () => RoomLine.enter(server, ann, room.id)),
    );
    for (const line of lines) await line.post('a text');
    const text = await scrape(server);
    expect(sumOf(text, 'roomful_sockets')).toBe(LINES);
    expect(sumOf(text, 'roomful_messages_acked_total')).toBe(LINES);
    expect(linesOf(text, 'roomful_messages_acked_total').map(workerIn).sort()).toEqual(['1', '2']);
    expect(text).toContain('roomful_workers{state="answered"} 2\nroomful_workers{state="silent"} 0');
    const names = [...text.matchAll(/^# HELP (roomful_\w+)/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(namesInDocs('all', 'PostgreSQL', 'Redis', 'workers'));
  });

  test('a worker that hangs is left out and counted, and its number goes to its successor', async () => {
    await using cluster = await start();
    const server = cluster.process(0);
    const [hanging = 0] = workersOf(server.pid);
    process.kill(hanging, 'SIGSTOP');
    // One of the connections goes to the worker that hangs.
    const text = await Promise.any([scrape(server), scrape(server)]);
    expect(text).toContain('roomful_workers{state="answered"} 1\nroomful_workers{state="silent"} 1');
    expect(linesOf(text, 'roomful_messages_acked_total')).toHaveLength(1);
    process.kill(hanging, 'SIGKILL');
    await eventually('both again', async () => {
      const now = await scrape(server);
      const workers = linesOf(now, 'roomful_messages_acked_total').map(workerIn).sort();
      return workers.join() === '1,2' ? true : undefined;
    });
  });
});

function start(): Promise<Cluster> {
  return Cluster.start({ processes: 1, env: { WEB_CONCURRENCY: '2' } });
}

async function scrape(server: ServerProcess): Promise<string> {
  return (await send(server, '/metrics')).text;
}

/** The lines of a metric's figures. */
function linesOf(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(`${name}{`));
}

function workerIn(line: string): string | undefined {
  return /worker="(\d+)"/.exec(line)?.[1];
}

function sumOf(text: string, name: string): number {
  return linesOf(text, name).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** The child processes. */
function workersOf(primary: number): number[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[1] === String(primary)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
