/** `/metrics`, and what deploy/ has for Prometheus and Grafana, with the real Prometheus. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { freePort } from '../support/free-port.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';

const run = promisify(execFile);
const deploy = (file: string) => fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));
const TOKEN = 'a token for the metrics';

let server: ServerProcess;
let text: string;
beforeAll(async () => {
  server = await ServerProcess.start();
  const ann = await signUp(server);
  const room = await createRoom(server, ann);
  const line = await LineClient.start(server, ann);
  await line.enter(room.id);
  for (let index = 0; index < 5; index++) await line.post(room.id, `text ${index}`);
  await post(server, '/api/v1/auth/login', { username: ann.username, password: 'a wrong password' });
  text = (await send(server, '/metrics')).text;
  await line.close();
}, 60_000);
afterAll(async () => await server?.dispose());

/** The value of a metric, with its labels as they are printed. */
function valueIn(name: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

/** The names of Roomful's and Node's metrics in a text. */
function namesIn(source: string): string[] {
  return [...new Set(source.match(/\b(?:roomful|nodejs|process)_[a-z_0-9]+/g))].sort();
}

describe('GET /metrics', () => {
  it('counts sockets, messages, deliveries, commits and refusals', () => {
    expect(valueIn('roomful_sockets{protocol="chatroom.v2"}')).toBe(1);
    expect(valueIn('roomful_rooms_open')).toBe(1);
    expect(valueIn('roomful_messages_acked_total')).toBe(5);
    expect(valueIn('roomful_deliveries_total')).toBeGreaterThanOrEqual(5);
    expect(valueIn('roomful_commits_total')).toBeGreaterThan(5);
    expect(valueIn('roomful_requests_refused_total{code="invalid_credentials"}')).toBe(1);
    expect(valueIn('roomful_logins_failed_total')).toBe(1);
    expect(valueIn('roomful_overloaded')).toBe(0);
  });

  it('has no name of a person, a room or an address in it', () => {
    const labels = new Set([...text.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label));
    const known = [
      'code',
      'commit',
      'kind',
      'le',
      'major',
      'minor',
      'patch',
      'protocol',
      'quantile',
      'space',
    ];
    expect([...labels].filter((label) => ![...known, 'type', 'version'].includes(label ?? ''))).toEqual([]);
  });

  it('is not there for who comes through a proxy, and with other methods', async () => {
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via']) {
      const through = await send(server, '/metrics', { headers: { [name]: '198.51.100.7' } });
      expectRefusal(through, 404, 'not found');
    }
    await using behind = await ServerProcess.start({ env: { TRUST_PROXY: '127.0.0.1' } });
    expectRefusal(await send(behind, '/metrics'), 404, 'not found');
    expectRefusal(await send(server, '/metrics', { method: 'POST' }), 404, 'not found');
  });

  it('with METRICS_TOKEN: needs it, on loopback too; a short token stops the start', async () => {
    await using guarded = await ServerProcess.start({ env: { METRICS_TOKEN: TOKEN } });
    expectRefusal(await send(guarded, '/metrics'), 404, 'not found');
    expectRefusal(await send(guarded, '/metrics', { token: `${TOKEN}x` }), 404, 'not found');
    expect((await send(guarded, '/metrics', { token: TOKEN })).status).toBe(200);
    await expect(ServerProcess.start({ env: { METRICS_TOKEN: 'short' } })).rejects.toThrow(/METRICS_TOKEN/);
  });
});

describe('deploy/prometheus and deploy/grafana', () => {
  it.each(['prometheus/alerts.yml', 'grafana/roomful.json'])(
    '%s names only metrics that there are',
    (file) => {
      const exported = new Set(namesIn(text));
      const used = namesIn(readFileSync(deploy(file), 'utf8'));
      expect(used.length).toBeGreaterThan(5);
      expect(used.filter((name) => !exported.has(name))).toEqual([]);
    },
  );

  it('promtool finds nothing wrong with the rules', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', deploy('prometheus/alerts.yml')]);
    expect(stdout).toMatch(/SUCCESS: 9 rules found/);
  });

  it('Prometheus scrapes the server with the example, and answers with its figures', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roomful-prometheus-'));
    const config = readFileSync(deploy('prometheus/prometheus.yml.example'), 'utf8')
      .replace('127.0.0.1:8080', `127.0.0.1:${server.port}`)
      .replace('15s', '1s')
      .replace('alerts.yml', deploy('prometheus/alerts.yml'));
    writeFileSync(join(folder, 'prometheus.yml'), config);
    const port = await freePort();
    const prometheus = spawn(
      'prometheus',
      [
        ...[`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`],
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    try {
      const found = await eventually('the figures', async () => {
        const query = encodeURIComponent('roomful_messages_acked_total{job="roomful"}');
        const reply = await send({ port }, `/api/v1/query?query=${query}`).catch(() => undefined);
        const { data } = (reply?.json ?? {}) as { data?: { result: { value: [number, string] }[] } };
        return data?.result[0]?.value[1];
      });
      expect(found).toBe('5');
    } finally {
      prometheus.kill();
      await once(prometheus, 'exit');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
