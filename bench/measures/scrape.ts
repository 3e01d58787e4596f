/** What it costs a server to be scraped by Prometheus. */
import { serverOptions } from '../contenders/contenders.ts';
import { roomful } from '../contenders/roomful.ts';
import { Load } from '../load/load.ts';
import { planListeners } from '../load/plan.ts';
import { median, percentile } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const SOCKETS = 1000;
const ROOMS = 10;
const SCRAPES = 300;
const MIB = 1024 * 1024;

export async function measureScrape(bench: Bench): Promise<Result> {
  bench.progress('scrape');
  const running = await roomful.start(serverOptions(roomful, bench));
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  try {
    await load.open(planListeners((await running.makeRooms(ROOMS)).flat(), SOCKETS));
    const { process: server } = running;
    const before = server.residentBytes();
    const first = await scrape(server.port);
    const cpuBefore = server.cpuSeconds();
    const scrapes = [];
    for (let index = 0; index < SCRAPES; index++) scrapes.push(await scrape(server.port));
    const cpuMs = ((server.cpuSeconds() - cpuBefore) * 1000) / SCRAPES;
    const times = scrapes.map(({ ms }) => ms);
    const data = {
      firstMs: first.ms,
      medianMs: median(times),
      p99Ms: percentile(times, 0.99),
      cpuMs,
      bytes: scrapes.at(-1)?.bytes ?? Number.NaN,
      grownBytes: server.residentBytes() - before,
    };
    return {
      title: 'A scrape',
      note:
        `${count(SCRAPES)} scrapes of a server with ${count(SOCKETS)} sockets in ${ROOMS} rooms, one after the other. ` +
        'The first one loads the library, and is not among them.',
      table: {
        head: ['first ms', 'p50 ms', 'p99 ms', 'server CPU ms', 'bytes', 'memory for it, MiB'],
        rows: [
          [
            decimal(data.firstMs),
            decimal(data.medianMs),
            decimal(data.p99Ms),
            decimal(data.cpuMs),
            count(data.bytes),
            decimal(data.grownBytes / MIB),
          ],
        ],
      },
      data,
    };
  } finally {
    await load.stop();
    await running.stop();
  }
}

async function scrape(port: number): Promise<{ ms: number; bytes: number }> {
  const begun = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const bytes = (await response.arrayBuffer()).byteLength;
  if (response.status !== 200) throw new Error(`/metrics: ${response.status}`);
  return { ms: performance.now() - begun, bytes };
}
