/** The units of deploy/, as far as they can be tested without systemd as the first process. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchResponse } from '../../protocol/rest/search.ts';
import { whyNoTracing } from '../faults/storage-trace.ts';
import { eventually } from '../support/eventually.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { whyNotInstalled } from '../support/installed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** This file runs as dist/tests/deploy/systemd.test.js. */
const DEPLOY = new URL('../../../deploy/', import.meta.url);
const ROOT = fileURLToPath(new URL('..', DEPLOY)).replace(/\/$/, '');
const UNITS = ['roomful.service', 'roomful@.service'];
/** The command that both units start, as far as it depends on the machine. */
const NODE = '/usr/bin/node';

const read = (unit: string) => readFileSync(new URL(unit, DEPLOY), 'utf8');

/** In CI nothing is left out, so that a missing program fails there. */
function whyNo(missing: string | undefined): string | undefined {
  if (missing === undefined || process.env.CI !== undefined) return undefined;
  console.info(`skipped: ${missing}`);
  return missing;
}

const noAnalyze = whyNotInstalled('systemd-analyze', 'systemd');

describe.skipIf(noAnalyze !== undefined)('systemd-analyze', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'roomful-units-'));
    for (const unit of UNITS) writeFileSync(join(folder, unit), read(unit).replace(NODE, process.execPath));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(UNITS)('finds nothing wrong in %s', (unit) => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, unit)], {
      encoding: 'utf8',
    });
    expect({ status, about: stderr.split('\n').filter((line) => line.includes(unit)) }).toEqual({
      status: 0,
      about: [],
    });
  });

  test.each(UNITS)('finds an exposure of 2.0 at most in %s', (unit) => {
    const output = execFileSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', join(folder, unit)],
      { encoding: 'utf8' },
    );
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(output)?.[1]);
    expect(exposure).toBeLessThanOrEqual(2);
  });

  test.skipIf(whyNo(whyNoTracing()) !== undefined)(
    'knows which system calls the units allow: the server does all its work when every other call fails, and setpriority, too',
    async () => {
      const allowed = allowedCalls(read('roomful.service'));
      // Older units refuse it.
      expect(allowed.delete('setpriority')).toBe(true);
      const others = `!${[...allowed].map((call) => `?${call}`).join(',')}`;
      const strace = ['--follow-forks', '--seccomp-bpf', '--quiet=all', '--output=/dev/null'];
      const refuse = [...strace, `--trace=${others}`, `--inject=${others}:error=EPERM`];
      // The trial means something only if such calls do fail.
      const refused = "require('os').setPriority(1)";
      const { stderr } = spawnSync('strace', [...refuse, process.execPath, '-e', refused], {
        encoding: 'utf8',
      });
      expect(stderr).toContain('EPERM');
      await using server = await ServerProcess.start({ under: ['strace', '--daemonize', ...refuse] });
      const ann = await signUp(server);
      const room = await createRoom(server, ann);
      const socket = await ChatClient.enter(server, ann, room.id);
      socket.say('hello');
      await socket.waitForCount('message', 1);
      await socket.close();
      expect(await readHistory(server, ann, room.id)).toMatchObject([{ content: 'hello' }]);
      await eventually('the message is found', async () => {
        const found = await send(server, '/api/v1/search?q=hello', { token: ann.accessToken });
        return expectReply(found, 200, searchResponse).results.length === 1 || undefined;
      });
      expect(await server.stop()).toEqual({ code: 0, signal: null });
    },
  );
});

test('both units have the same sandbox', () => {
  const sandbox = (unit: string) => /# What it may do[\s\S]*(?=\[Install\])/.exec(read(unit))?.[0];
  expect(sandbox('roomful.service')).toMatch(/^SystemCallFilter=/m);
  expect(sandbox('roomful@.service')).toBe(sandbox('roomful.service'));
});

/** The system calls that a unit's lines `SystemCallFilter=` allow: the first is a list, and `~` takes away from it. */
function allowedCalls(unit: string): Set<string> {
  const sets = callSets();
  const expand = (name: string): string[] => sets.get(name)?.flatMap(expand) ?? [name];
  const allowed = new Set(expand('@default'));
  for (const [, without, names = ''] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const call of names.split(' ').flatMap(expand)) {
      if (without) allowed.delete(call);
      else allowed.add(call);
    }
  }
  return allowed;
}

/** The named sets of system calls, which contain calls and other sets. */
function callSets(): Map<string, string[]> {
  const sets = new Map<string, string[]>();
  let members: string[] = [];
  const output = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for (const line of output.split('\n')) {
    if (/^\s*(#|$)/.test(line)) continue;
    if (line.startsWith('@')) {
      members = [];
      sets.set(line, members);
    } else {
      members.push(line.trim());
    }
  }
  return sets;
}

const noRoot = whyNo(process.getuid?.() === 0 ? undefined : 'only root may become another user');
describe.skipIf(noRoot !== undefined)('deploy/roomful-command', () => {
  test('runs a command with the settings, the data and the user of the unit, wherever it is typed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'roomful-command-'));
    try {
      const unit = read('roomful.service');
      const stand = {
        '/opt/roomful': ROOT,
        '/var/lib/roomful': join(folder, 'data'),
        [NODE]: process.execPath,
      };
      const places = { ...stand, '/etc/roomful.env': join(folder, 'roomful.env'), '-u roomful': '-u root' };
      let command = readFileSync(new URL('roomful-command', DEPLOY), 'utf8');
      for (const [place, other] of Object.entries(places)) {
        expect(unit, place).toContain(place.replace('-u roomful', 'User=roomful'));
        command = command.replaceAll(place, other);
      }
      writeFileSync(join(folder, 'roomful'), command, { mode: 0o755 });
      writeFileSync(join(folder, 'roomful.env'), 'PORT=18\n');
      const { status, stdout } = spawnSync(join(folder, 'roomful'), ['doctor', '--json'], {
        ...{ cwd: folder, encoding: 'utf8' as const, env: { PATH: process.env.PATH } },
      });
      expect(status, stdout).toBe(0);
      expect(stdout).toContain(join(folder, 'data'));
      expect(stdout).toContain('18');
      rmSync(join(folder, 'roomful.env'));
      const unreadable = spawnSync(join(folder, 'roomful'), ['doctor'], { encoding: 'utf8' });
      expect([unreadable.status, unreadable.stderr]).toEqual([
        2,
        expect.stringMatching(/cannot read .*chmod 640/),
      ]);
      expect(read('roomful@.service')).toContain('install -m 640 -g roomful /dev/null /etc/roomful.env');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
