import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

test.each(['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)(
  '%s is ignored and logged: the server goes on',
  async (signal) => {
    await using server = await ServerProcess.start();
    process.kill(server.pid, signal);
    await eventually('the log line', () => server.stderr.includes('signal ignored') || undefined);
    expect((await send(server, '/healthz')).status).toBe(200);
    // Node's own message when SIGUSR1 opens its inspector.
    expect(server.stderr).not.toContain('Debugger listening');
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  },
);

test('SIGTERM to `npm start` ends the server, too: its port and its data folder are free', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-npm-start-'));
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data') };
  const options = { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
  // --ignore-scripts leaves prestart out: this does not test the build, and other tests use its output.
  const npm = spawn('npm', ['start', '--ignore-scripts'], options);
  const exited = once(npm, 'close');
  let stdout = '';
  let stderr = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  try {
    const port = await eventually('the ready line', () => /http:\/\/localhost:(\d+)/.exec(stdout)?.[1]);
    npm.kill('SIGTERM');
    await exited;
    expect(stderr).toContain('"msg":"stopped"');
    const attempt = connect(Number(port), '127.0.0.1');
    const [error] = await once(attempt, 'error');
    expect(error.code).toBe('ECONNREFUSED');
    await using again = await ServerProcess.start({ dataDir: folder });
    expect(await again.stop()).toEqual({ code: 0, signal: null });
  } finally {
    npm.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
});

/** util-linux gives a command a terminal of its own. */
const hasScript = spawnSync('script', ['--version']).status === 0;
if (!hasScript) console.info('skipped: SIGHUP from a terminal: there is no script(1) here');

test.skipIf(!hasScript)(
  'at a terminal it tells how to become admin; closed with it, it stops in order',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'roomful-terminal-'));
    const log = join(folder, 'log');
    const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data') };
    const command = `exec '${process.execPath}' '${MAIN}' 2>'${log}'`;
    const terminal = spawn('script', ['--quiet', '--command', command, '/dev/null'], { env, stdio: 'pipe' });
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    try {
      const logged = async (text: string) => (await readFile(log, 'utf8').catch(() => '')).includes(text);
      await eventually('ready', async () => (await logged('"msg":"ready"')) || undefined);
      await eventually(
        'the link',
        () => /become the admin, open http\S+\/setup\/\S+/.test(shown) || undefined,
      );
      terminal.kill('SIGKILL');
      await eventually('stopped', async () => (await logged('"msg":"stopped"')) || undefined);
      expect(await readFile(log, 'utf8')).not.toContain('Assertion');
    } finally {
      terminal.kill('SIGKILL');
      await rm(folder, { recursive: true });
    }
  },
);
