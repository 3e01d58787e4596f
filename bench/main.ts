/** `npm run bench`: see --help. */
import { writeFileSync } from 'node:fs';
import { runCommand } from '../tests/support/command-line.ts';
import { assignCores, describeMachine, type Machine } from './machine.ts';
import { measureAtRest } from './measures/at-rest.ts';
import { measureChanges } from './measures/changes.ts';
import { measureCluster } from './measures/cluster.ts';
import { measureClusterReads } from './measures/cluster-reads.ts';
import { measureConnections } from './measures/connections.ts';
import { measureCrowd } from './measures/crowd.ts';
import { measureFairness } from './measures/fairness.ts';
import { measureFanOut } from './measures/fan-out.ts';
import { measureFiles } from './measures/files.ts';
import { measureHistory } from './measures/history.ts';
import { measureIdleSockets } from './measures/idle-sockets.ts';
import { measureIngest } from './measures/ingest.ts';
import { measureJumps } from './measures/jumps.ts';
import { measureLines } from './measures/lines.ts';
import type { Bench, Result } from './measures/measure.ts';
import { measureNotifications } from './measures/notifications.ts';
import { measureOverload } from './measures/overload.ts';
import { measureResumeStorm } from './measures/resume-storm.ts';
import { measureRetention } from './measures/retention.ts';
import { measureScrape } from './measures/scrape.ts';
import { measureSearch } from './measures/search.ts';
import { HELP, type MeasureName, type Options, readOptions } from './options.ts';
import { pinSelf } from './pinned-process.ts';
import { formatTable } from './table.ts';

const MEASURE: Record<MeasureName, (bench: Bench) => Promise<Result>> = {
  fanout: measureFanOut,
  ingest: measureIngest,
  connect: measureConnections,
  storm: measureResumeStorm,
  rest: measureAtRest,
  sockets: measureIdleSockets,
  history: measureHistory,
  jumps: measureJumps,
  lines: measureLines,
  changes: measureChanges,
  notifications: measureNotifications,
  crowd: measureCrowd,
  overload: measureOverload,
  fairness: measureFairness,
  scrape: measureScrape,
  retention: measureRetention,
  files: measureFiles,
  search: measureSearch,
  cluster: measureCluster,
  'cluster-reads': measureClusterReads,
};

/** Several servers share all cores with the load. */
const UNPINNED: ReadonlySet<MeasureName> = new Set(['cluster', 'cluster-reads']);

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return void process.stdout.write(HELP);
  const bench: Bench = {
    options,
    cores: assignCores(options.pin, options.loadProcesses),
    progress: (text) => void process.stderr.write(`${text}\n`),
  };
  const machine = describeMachine();
  process.stdout.write(`${headline(machine, bench)}\n`);
  const results: Result[] = [];
  for (const name of options.only) {
    // Processes inherit the cores of this one.
    const cores = UNPINNED.has(name) ? bench.cores.all : bench.cores.load;
    if (cores !== null) pinSelf(cores);
    const result = await MEASURE[name](bench);
    results.push(result);
    process.stdout.write(`\n## ${result.title}\n`);
    for (const { note, table } of [result, ...(result.more ?? [])])
      process.stdout.write(`\n${note}\n\n${formatTable(table)}\n`);
  }
  if (options.json !== undefined) writeJson(options.json, options, machine, results);
}

function headline({ cpu, cores, system, node, syncMs }: Machine, bench: Bench): string {
  const pinned =
    bench.cores.server === null
      ? 'no process is pinned to a core'
      : `server on core ${bench.cores.server}, load on ${bench.cores.load}`;
  const sync = `an fdatasync of 4 KiB takes ${syncMs.toFixed(2)} ms`;
  return `${cpu}, ${cores} cores, ${system}, Node ${node}; ${pinned}; ${sync}.`;
}

function writeJson(file: string, options: Options, machine: Machine, results: Result[]): void {
  const measures = results.map(({ title, note, data }) => ({ title, note, data }));
  writeFileSync(file, `${JSON.stringify({ at: new Date(), machine, options, measures }, null, 2)}\n`);
}

await runCommand(main);
