/**
 * G4: a socket that floods is closed, whatever it sends. The server's memory stays small, and others are not affected.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, readHistory, signUp } from '../support/users.ts';
import { FLOODS, type FloodName } from './flood-frames.ts';
import type { FloodOrder, FloodReport } from './flood-process.ts';
import { MeasuredRoom, median, sampleRss } from './measured-room.ts';
import type { Finding } from './trial.ts';

const FLOOD_PROCESS = fileURLToPath(new URL('./flood-process.js', import.meta.url));
const MEBIBYTE = 1024 * 1024;

export interface FloodOptions {
  /** The number of sockets that flood at a time. */
  sockets: number;
  probes: number;
  floodMs: number;
  quietMs: number;
}

interface FloodFigures extends FloodReport {
  p99QuietMs: number;
  p99FloodMs: number;
  rssMiB: number;
}

export interface FloodFinding extends Finding {
  figures: Record<string, string>;
  floods: Partial<Record<FloodName, FloodFigures>>;
}

/**
 * Runs one flood after the other, against one server. It has its default settings, except that HTTP requests are not
 * limited: the limit would keep most of the flood away.
 */
export async function flood(options: FloodOptions): Promise<FloodFinding> {
  await using server = await ServerProcess.start({
    env: { RATE_LIMIT_PER_SECOND: '0', SOCKETS_PER_USER: '1000' },
  });
  const login = await signUp(server);
  const flooder = await signUp(server);
  const roomId = (await createRoom(server, login)).id;
  const measured = { probes: options.probes, messagesPerSecond: 40, contentLength: 100 };
  const room = new MeasuredRoom(server, login, roomId, measured);
  await room.open();
  const floods: FloodFinding['floods'] = {};
  const measure = async (during: () => Promise<unknown>) => {
    const samples = sampleRss(server.pid);
    room.startMeasuring();
    await during();
    return { p99: room.p99(), rss: await samples.stop() };
  };
  for (const name of Object.keys(FLOODS) as FloodName[]) {
    const quiet = await measure(() => sleep(options.quietMs));
    const order = { port: server.port, roomId, login: flooder, flood: name, sockets: options.sockets };
    const hostile = new FloodProcess();
    const wet = await measure(async () => {
      hostile.begin(order);
      await sleep(options.floodMs);
    });
    const report = await hostile.stop();
    await eventually('the flooder gone', async () =>
      (await findRoom(server, login, roomId))?.online === 1 ? true : undefined,
    );
    assert(report.closed > 0, `${name}: no socket was closed`);
    floods[name] = {
      ...report,
      p99QuietMs: quiet.p99,
      p99FloodMs: wet.p99,
      rssMiB: (wet.rss - quiet.rss) / MEBIBYTE,
    };
  }
  await room.close();
  const history = await readHistory(server, login, roomId);
  await room.expectAll(history.length);
  return { figures: describe(floods), floods };
}

class FloodProcess {
  readonly #child: ChildProcess = fork(FLOOD_PROCESS);

  begin(order: FloodOrder): void {
    this.#child.send(order);
  }

  async stop(): Promise<FloodReport> {
    const answered = once(this.#child, 'message') as Promise<[FloodReport]>;
    this.#child.send('stop');
    const [report] = await answered;
    this.#child.disconnect();
    return report;
  }
}

function describe(floods: FloodFinding['floods']): Record<string, string> {
  const all = Object.values(floods);
  const figures: Record<string, string> = {
    'p99 ratio, median': median(all.map((one) => one.p99FloodMs / one.p99QuietMs)).toFixed(1),
    'RSS +MiB, most': Math.max(...all.map((one) => one.rssMiB)).toFixed(0),
  };
  for (const [name, { opened, mebibytes, p99QuietMs, p99FloodMs, rssMiB }] of Object.entries(floods)) {
    figures[name] =
      `${opened} sockets, ${mebibytes} MiB sent, p99 ${p99QuietMs.toFixed(1)} to ${p99FloodMs.toFixed(1)} ms, ` +
      `RSS +${rssMiB.toFixed(0)} MiB`;
  }
  return figures;
}
