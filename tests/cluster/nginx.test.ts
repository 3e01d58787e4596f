/** deploy/compose/nginx.conf, before three processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { whyNoProxy } from '../deploy/proxy-process.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { createRoom, signUp } from '../support/users.ts';

/** This file runs as dist/tests/cluster/nginx.test.js. */
const CONFIG = new URL('../../../deploy/compose/nginx.conf', import.meta.url);

const noProxy = whyNoProxy('nginx');
if (noProxy !== undefined) console.info(`skipped: ${noProxy}`);

describe.skipIf((whyNoCluster() ?? noProxy) !== undefined)('three processes behind nginx', () => {
  test('any process serves any request, and one that is killed is passed over', async () => {
    await using cluster = await Cluster.start({ processes: 3, env: { TRUST_PROXY: '127.0.0.1' } });
    await using proxy = await Nginx.start(cluster.processes.map(({ port }) => port));
    const ann = await signUp(proxy);
    const room = await createRoom(proxy, ann);
    const lines: LineClient[] = [];
    // One after the other, so that each process gets two.
    while (lines.length < 6) lines.push(await LineClient.start(proxy, ann));
    for (const line of lines) await line.enter(room.id);
    await lines[0]?.post(room.id, 'to all processes');
    for (const line of lines) await line.waitFor('message', ({ content }) => content === 'to all processes');

    await cluster.process(1).kill();
    const open = await eventually('the sockets of one process are gone', () => {
      const left = lines.filter(({ isOpen }) => isOpen);
      return left.length < lines.length ? left : undefined;
    });
    expect(open.length).toBeGreaterThan(0);
    for (let count = 0; count < 6; count++) expect((await send(proxy, '/healthz')).status).toBe(200);
    const back = await LineClient.start(proxy, ann);
    await back.enter(room.id);
    await open[0]?.post(room.id, 'and on');
    await back.waitFor('message', ({ content }) => content === 'and on');
  });
});

/** nginx with the file of deploy/, on ports of this machine. */
class Nginx {
  readonly port: number;
  readonly #stop: () => Promise<void>;

  private constructor(port: number, stop: () => Promise<void>) {
    this.port = port;
    this.#stop = stop;
  }

  static async start(ports: readonly number[]): Promise<Nginx> {
    const dir = mkdtempSync(join(tmpdir(), 'roomful-nginx-'));
    const port = await freePort();
    const sites = readFileSync(CONFIG, 'utf8')
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace(/roomful-(\d):8080/g, (_, number) => `127.0.0.1:${ports[Number(number) - 1]}`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${dir}/${kind};`,
    );
    const config = join(dir, 'nginx.conf');
    writeFileSync(
      config,
      `daemon off; master_process off; pid ${dir}/pid; error_log stderr; events {}
       http { access_log off; ${temporary.join(' ')} ${sites} }`,
    );
    const child = spawn('nginx', ['-p', dir, '-e', 'stderr', '-c', config], { stdio: 'ignore' });
    const ended = once(child, 'close');
    const nginx = new Nginx(port, async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    });
    await eventually('nginx serves', async () => {
      if (child.exitCode !== null) throw new Error('nginx did not start');
      return await send({ port }, '/healthz').catch(() => undefined);
    });
    return nginx;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stop();
  }
}
