/** `npm run bench:client`: see --help. */
import { loadavg } from 'node:os';
import { runCommand } from '../../tests/support/command-line.ts';
import { describeMachine } from '../machine.ts';
import { measureBurst } from './burst.ts';
import { writeSection } from './document.ts';
import { measureManyRooms } from './many-rooms.ts';
import type { ClientBench, Finding } from './measure.ts';
import { HELP, type MeasureName, readOptions } from './options.ts';
import { measurePaint } from './paint.ts';
import { loadEverything } from './reader.ts';
import { type Loaded, measureScrolling, measureSwitching, measureTyping } from './reading.ts';
import { measureScript } from './script.ts';
import { measureSoak } from './soak.ts';
import { Stage } from './stage.ts';

/** In the order in which they run. `LOADED` runs after `paint`, in one room; switching is last because it leaves it. */
const ALONE = {
  script: measureScript,
  paint: measurePaint,
  rooms: measureManyRooms,
  soak: measureSoak,
} as const;
const LOADED = {
  typing: measureTyping,
  scrolling: measureScrolling,
  burst: measureBurst,
  switching: measureSwitching,
} as const;

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return void process.stdout.write(HELP);
  const progress = (text: string) => void process.stderr.write(`${text}\n`);
  progress(`writing ${options.messages} messages`);
  const stage = await Stage.open(options.messages);
  try {
    const bench: ClientBench = { options, stage, progress };
    const findings = await measure(bench);
    const report = `${headline()}\n\n${formatFindings(findings)}\n`;
    process.stdout.write(`\n${report}`);
    if (options.write) writeSection(`${INTRODUCTION}\n\n${report}`);
  } finally {
    await stage.close();
  }
}

async function measure(bench: ClientBench): Promise<Finding[]> {
  const isAsked = (name: MeasureName) => bench.options.only.includes(name);
  const findings: Finding[] = [];
  if (isAsked('script')) findings.push(...(await ALONE.script(bench)));
  if (isAsked('paint')) findings.push(...(await ALONE.paint(bench)));
  const inLoaded = Object.entries(LOADED).filter(([name]) => isAsked(name as keyof typeof LOADED));
  if (inLoaded.length > 0) {
    const loaded: Loaded = await loadEverything(bench);
    for (const [, take] of inLoaded) findings.push(...(await take(bench, loaded)));
    await loaded.place.close();
  }
  if (isAsked('rooms')) findings.push(...(await ALONE.rooms(bench)));
  if (isAsked('soak')) findings.push(...(await ALONE.soak(bench)));
  return findings;
}

const INTRODUCTION = `\
\`npm run bench:client -- --write\` measures the built client in headless Chromium (1280 × 800, no graphics card), against
the real server with its limits off, and writes this table. The measured room has 100 000 messages of the demo, all
loaded by scrolling back to the beginning. A frame's time is from one animation frame to the next. A task is
uninterrupted work of the page's main thread. The targets apply to its processor time (from Chromium's trace), because
elapsed time on a busy machine includes the work of other processes.`;

function headline(): string {
  const { cpu, cores, system } = describeMachine();
  const load = loadavg()[0]?.toFixed(1);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${cpu}, ${cores} cores, ${system}; load average ${load} at the end.`;
}

function formatFindings(findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ what, figure, target, isMet }) =>
      `| ${what} | ${figure} | ${target} | ${target === '' ? '' : isMet ? 'yes' : '**no**'} |`,
  );
  return ['| | measured | target | met, tasks by processor time |', '|---|---|---|---|', ...rows].join('\n');
}

await runCommand(main);
