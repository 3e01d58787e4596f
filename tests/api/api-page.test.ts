/** docs/API.md: its commands, run in order in one shell, print what it shows, but for the values. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNotInstalled } from '../support/installed.ts';
import { ServerProcess } from '../support/server-process.ts';

/** This file runs as dist/tests/api/api-page.test.js. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Printed between the commands. */
const MARK = '-- the next command --';

interface Step {
  command: string;
  /** What the page shows below the command. */
  shown: unknown;
}

const STEPS: Step[] = [];
for (const [, language, text = ''] of readFileSync(join(ROOT, 'docs/API.md'), 'utf8').matchAll(
  /^```(sh|json)\n(.*?)^```$/gms,
)) {
  const last = STEPS.at(-1);
  if (language === 'sh') STEPS.push({ command: text, shown: undefined });
  else if (last) last.shown = JSON.parse(text);
}

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => await server?.dispose());

describe.skipIf(whyNotInstalled('curl') !== undefined)('the commands of docs/API.md', () => {
  it('print what the page shows', async () => {
    expect(STEPS.length).toBeGreaterThan(10);
    const script = STEPS.map(({ command }) => command).join(`\necho; echo '${MARK}'\n`);
    const output = await bash(script.replace('URL=http://localhost:8080', `URL=${server.url}`));
    const printed = output.split(MARK);
    expect(printed).toHaveLength(STEPS.length);
    for (const [index, { command, shown }] of STEPS.entries()) {
      if (shown === undefined) continue;
      expect(shapeOf(JSON.parse(printed[index] ?? '')), command).toEqual(shapeOf(shown));
    }
  });
});

/** Runs it in the repository, where the package ws is. Its output; rejects when a command fails. */
async function bash(script: string): Promise<string> {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: ROOT, stdio: 'pipe' });
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      told[name] += text;
    });
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, `${told.stderr}\n${told.stdout}`).toBe(0);
  return told.stdout;
}

/** The same keys and types, with names, statuses and words as they are; ids, times and tokens differ. */
function shapeOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => shapeOf(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item, name)]));
  return /^(.*_)?(id|token|at)$/.test(key) ? typeof value : value;
}
