/**
 * A real S3 for tests: OpenStack Swift with its S3 interface, on free ports of 127.0.0.1, with one disk in a scratch
 * folder. Its processes end with the one that started them.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../server/data/blobs/s3/client.ts';
import type { S3Settings } from '../../server/platform/config.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const PROGRAMS = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'];
const PYTHON = '/usr/bin/python3';
const READY_WITHIN_MS = 120_000;
const KEY = 'roomful:files';
const SECRET = 'secret-of-the-tests';
const BUCKET = 'roomful-files';

/** Why tests on S3 are left out, which is printed; in CI they never are. */
export function whyNoS3(): string | undefined {
  if (process.env.CI !== undefined) return undefined;
  const missing = PROGRAMS.find((name) => spawnSync(`${name}-server`, ['--help']).error !== undefined);
  const why =
    missing === undefined ? undefined : `an S3 for tests is not installed (Debian: ${PROGRAMS.join(' ')})`;
  if (why !== undefined) console.info(`skipped: ${why}`);
  return why;
}

export class S3Server {
  readonly #folder: string;
  readonly #ports: Readonly<Record<Part, number>>;
  #children: ChildProcess[] = [];
  #buckets = 0;

  private constructor(folder: string, ports: Readonly<Record<Part, number>>) {
    this.#folder = folder;
    this.#ports = ports;
  }

  static async start(): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), 'roomful-s3-'));
    const ports = {
      proxy: await freePort(),
      account: await freePort(),
      container: await freePort(),
      object: await freePort(),
    };
    const server = new S3Server(folder, ports);
    try {
      await server.#prepare();
      await server.restart();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  get port(): number {
    return this.#ports.proxy;
  }

  /** The settings of a new bucket. */
  async bucket(): Promise<S3Settings> {
    const url = `http://127.0.0.1:${this.port}/${BUCKET}-${++this.#buckets}`;
    const scratch = join(this.#folder, `scratch-${this.#buckets}`);
    const settings = { url, accessKeyId: KEY, secretAccessKey: SECRET, region: 'us-east-1', scratch };
    await new Client(settings).request({ method: 'PUT' }, [200], async (response) => {
      response.resume();
    });
    return settings;
  }

  /** The environment of a server whose files are in a new bucket. */
  async env(): Promise<Record<string, string>> {
    const { url, accessKeyId, secretAccessKey } = await this.bucket();
    return { S3_URL: url, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
  }

  /** It must have been stopped before. */
  async restart(): Promise<void> {
    for (const part of PARTS) {
      const log = join(this.#folder, `${part}.log`);
      const command = [PYTHON, `/usr/bin/swift-${part}-server`, join(this.#folder, `${part}.conf`), '-v'];
      // It replaces itself by the program, which therefore keeps this pid and is ended with its parent.
      const child = spawn(
        'setpriv',
        ['--pdeathsig', 'KILL', 'sh', '-c', `exec "$@" >>'${log}' 2>&1`, 'sh', ...command],
        {
          stdio: 'ignore',
        },
      );
      this.#children.push(child);
    }
    await eventually(
      'S3 answers',
      async () => {
        const dead = this.#children.findIndex(({ exitCode }) => exitCode !== null);
        if (dead >= 0)
          throw new Error(`swift-${PARTS[dead]}-server did not start:\n${this.#log(PARTS[dead])}`);
        const reply = await fetch(`http://127.0.0.1:${this.port}/healthcheck`).catch(() => undefined);
        return reply?.ok ? true : undefined;
      },
      READY_WITHIN_MS,
    );
  }

  async stop(): Promise<void> {
    const children = this.#children.splice(0);
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The end of what it said. */
  #log(part: Part | undefined): string {
    const path = join(this.#folder, `${part}.log`);
    return existsSync(path) ? readFileSync(path, 'utf8').slice(-10_000) : '';
  }

  async #prepare(): Promise<void> {
    await mkdir(join(this.#folder, 'disks', 'one'), { recursive: true });
    for (const part of PARTS) await writeFile(join(this.#folder, `${part}.conf`), this.#configOf(part));
    const { account, container, object } = this.#ports;
    const { status, stderr } = spawnSync(
      PYTHON,
      ['-c', RINGS, this.#folder, ...[account, container, object].map(String)],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(`the rings of Swift could not be made:\n${stderr}`);
  }

  #configOf(part: Part): string {
    const common = `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${this.#ports[part]}
workers = 0
user = ${process.env.USER ?? 'root'}
swift_dir = ${this.#folder}
devices = ${join(this.#folder, 'disks')}
mount_check = false
fallocate_reserve = 0
log_level = WARNING
`;
    if (part !== 'proxy')
      return `${common}
[pipeline:main]
pipeline = ${part}-server
[app:${part}-server]
use = egg:swift#${part}
`;
    return `${common}
[pipeline:main]
pipeline = catch_errors healthcheck cache s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
# Nothing is there: tempauth only wants to know of one.
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
max_upload_part_num = 10000
[filter:tempauth]
use = egg:swift#tempauth
user_${KEY.replace(':', '_')} = ${SECRET} .admin
[filter:slo]
use = egg:swift#slo
max_manifest_segments = 10000
[filter:dlo]
use = egg:swift#dlo
`;
  }
}

type Part = 'proxy' | 'account' | 'container' | 'object';
const PARTS: readonly Part[] = ['account', 'container', 'object', 'proxy'];

/** Which disk has what: one that has everything. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
for name, port in zip(('account', 'container', 'object'), ports):
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'one', 'weight': 1,
                     'replication_ip': '127.0.0.1', 'replication_port': int(port), 'meta': ''})
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (folder, name))
`;
