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
import { whyNotInstalled } from '../support/installed.ts';
import { LineClient } from '../support/line-client.ts';
import { namesInDocs } from '../support/metric-names.ts';
import { connectRaw } from '../support/raw-requests.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';

const run = promisify(execFile);
const deploy = (file: string) => fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));
const DASHBOARD = JSON.parse(readFileSync(deploy('grafana/roomful.json'), 'utf8')) as {
  panels: { title: string; type: string; targets?: { expr: string }[] }[];
};
const docs = (file: string) => fileURLToPath(new URL(`../../../docs/${file}`, import.meta.url));
const TOKEN = 'a token for the metrics';

/** Metrics of other databases, and of several processes, are not in the text of this server. */
const documented = new Set(namesInDocs('all', 'SQLite', 'PostgreSQL', 'Redis', 'workers'));

let server: ServerProcess;
let text: string;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
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
    // On PostgreSQL the commits of messages are timed alone, and several may share one.
    const others = server.databaseUrl === undefined ? 5 : 0;
    expect(valueIn('roomful_commit_seconds_count')).toBeGreaterThan(others);
    expect(valueIn('roomful_requests_refused_total{code="invalid_credentials"}')).toBe(1);
    expect(valueIn('roomful_logins_failed_total')).toBe(1);
    expect(valueIn('roomful_overloaded')).toBe(0);
    expect(valueIn('roomful_database_healthy')).toBe(1);
    // What alerts ask for is there before the first refusal.
    for (const what of ['requests', 'upgrades', 'frames'])
      for (const code of ['internal_error', 'service_unavailable'])
        expect(valueIn(`roomful_${what}_refused_total{code="${code}"}`), `${what} ${code}`).toBe(0);
  });

  it('says how commits, batches, fan-out, requests and the delay of the event loop spread', () => {
    for (const name of ['commit_seconds', 'commit_writes', 'fanout_seconds', 'event_loop_delay_seconds']) {
      const count = valueIn(`roomful_${name}_count`);
      expect(count, name).toBeGreaterThan(0);
      expect(valueIn(`roomful_${name}_bucket{le="+Inf"}`), name).toBe(count);
    }
    expect(valueIn('roomful_commit_writes_sum')).toBeGreaterThanOrEqual(
      valueIn('roomful_commit_writes_count') ?? 0,
    );
    const logins = valueIn('roomful_request_seconds_count{method="POST",status="4xx"}');
    expect(logins).toBe(1);
    expect(text).not.toMatch(/roomful_request_seconds\w*{[^}]*(route|path|url)=/);
  });

  it('counts methods that clients invent as one', async () => {
    for (const method of ['PROPFIND', 'REPORT']) await send(server, '/healthz', { method });
    const { text: now } = await send(server, '/metrics');
    const methods = [...now.matchAll(/roomful_request_seconds_count{method="(\w+)"/g)].map(([, one]) => one);
    expect(methods).toContain('other');
    expect(methods).not.toContain('PROPFIND');
  });

  it('has the metrics that docs/OPERATIONS.md names', () => {
    const where = server.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
    const exported = [...text.matchAll(/^# HELP (roomful_\w+)/gm)].map(([, name]) => name);
    expect(exported.sort()).toEqual(namesInDocs('all', where));
  });

  it('has no name of a person, a room or an address in it', () => {
    const labels = new Set([...text.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label));
    const known = [
      'code',
      'commit',
      'epoch',
      'folder',
      'kind',
      'le',
      'major',
      'method',
      'minor',
      'patch',
      'pool',
      'protocol',
      'quantile',
      'space',
      'state',
      'status',
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

  it.each([
    'client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'x-client-ip',
    'x-original-host',
    'x-envoy-peer',
  ])('is not there with a header that only a proxy adds: %s', async (name) => {
    expectRefusal(await send(server, '/metrics', { headers: { [name]: '192.0.2.1' } }), 404, 'not found');
  });

  it.each(['chat.example.org', '192.0.2.7', '127.0.0.1.example.org', 'localhost.example.org', '[::2]'])(
    'is not there under the name of another host: %s',
    async (host) => {
      expectRefusal(await send(server, '/metrics', { headers: { host } }), 404, 'not found');
    },
  );

  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1:9', '[::1]:8080'])('is there as %s', async (host) => {
    expect((await send(server, '/metrics', { headers: { host } })).status).toBe(200);
  });

  it('is not there in HTTP/1.0, in which proxies speak to servers by default', async () => {
    const socket = await connectRaw(server);
    socket.end(`GET /metrics HTTP/1.0\r\nHost: ${server.host}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(String(head)).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });

  it('with METRICS_TOKEN: needs it, on loopback too; a short token stops the start', async () => {
    await using guarded = await ServerProcess.start({ env: { METRICS_TOKEN: TOKEN } });
    expectRefusal(await send(guarded, '/metrics'), 404, 'not found');
    expectRefusal(await send(guarded, '/metrics', { token: `${TOKEN}x` }), 404, 'not found');
    expect((await send(guarded, '/metrics', { token: TOKEN })).status).toBe(200);
    await expect(ServerProcess.start({ env: { METRICS_TOKEN: 'short' } })).rejects.toThrow(/METRICS_TOKEN/);
  });
});

const noPrometheus = ['promtool', 'prometheus'].some(
  (program) => whyNotInstalled(program, 'prometheus') !== undefined,
);

describe('deploy/prometheus and deploy/grafana', () => {
  it.each(['prometheus/alerts.yml', 'grafana/roomful.json'])(
    '%s names only metrics that there are',
    (file) => {
      const exported = new Set([...namesIn(text), ...documented]);
      const isHistogram = (name: string) =>
        /_(bucket|sum|count)$/.test(name) && exported.has(name.replace(/_(bucket|sum|count)$/, ''));
      const used = namesIn(readFileSync(deploy(file), 'utf8'));
      expect(used.length).toBeGreaterThan(5);
      expect(used.filter((name) => !exported.has(name) && !isHistogram(name))).toEqual([]);
    },
  );

  it('docs/OPERATIONS.md explains every panel and every alert', () => {
    const page = readFileSync(docs('OPERATIONS.md'), 'utf8');
    const [, table = ''] = page.split('### Read the dashboard');
    const titles = DASHBOARD.panels.filter(({ type }) => type !== 'row').map(({ title }) => title);
    const first = table.split('### Alerts', 1)[0] ?? '';
    const explained = [...first.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell ?? '').join(', ');
    expect(titles.filter((title) => !explained.includes(title))).toEqual([]);
    const alerts = [...readFileSync(deploy('prometheus/alerts.yml'), 'utf8').matchAll(/alert: (\w+)/g)];
    expect(alerts.map(([, name]) => name).filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it.skipIf(noPrometheus)('promtool finds nothing wrong with the rules', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', deploy('prometheus/alerts.yml')]);
    expect(stdout).toMatch(/SUCCESS: 27 rules found/);
  });

  it.skipIf(noPrometheus)(
    'Prometheus scrapes a loaded server, and answers what dashboard and alerts ask',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'roomful-prometheus-'));
      const file = join(folder, 'prometheus.yml');
      const config = readFileSync(deploy('prometheus/prometheus.yml.example'), 'utf8')
        .replace('127.0.0.1:8080', `127.0.0.1:${server.port}`)
        .replace('15s', '1s')
        .replace('alerts.yml', deploy('prometheus/alerts.yml'));
      writeFileSync(file, config);
      expect((await run('promtool', ['check', 'config', file])).stdout).toMatch(/is valid prometheus config/);
      const port = await freePort();
      const prometheus = spawn(
        'prometheus',
        [
          ...[`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`],
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        { stdio: 'ignore' },
      );
      const ask = async (query: string) => {
        const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
        const reply: unknown = await (await fetch(url)).json();
        expect(reply, query).toMatchObject({ status: 'success' });
        const { data } = reply as { data: { result: { value: [number, string] }[] } };
        return data.result.map(({ value }) => Number(value[1]));
      };
      try {
        await eventually('Prometheus', () => send({ port }, '/-/ready').catch(() => undefined));
        await underLoad(async () => {
          await eventually('posts between two scrapes', async () => {
            const [rate = 0] = await ask('rate(roomful_messages_acked_total{job="roomful"}[5m])');
            return rate > 0 ? rate : undefined;
          });
        });
        const [commit = Number.NaN] = await ask(
          'histogram_quantile(0.99, sum by (le) (rate(roomful_commit_seconds_bucket[5m])))',
        );
        expect(commit).toBeGreaterThan(0);
        expect(await ask('up{job="roomful"}')).toEqual([1]);
        const shown = DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
        const rules: unknown = await (await fetch(`http://127.0.0.1:${port}/api/v1/rules`)).json();
        const { data } = rules as { data: { groups: { rules: { query: string }[] }[] } };
        const asked = data.groups.flatMap((group) => group.rules.map(({ query }) => query));
        expect(asked).toHaveLength(27);
        for (const query of [...shown, ...asked]) await ask(query);
      } finally {
        prometheus.kill();
        await once(prometheus, 'exit');
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

/** Five sockets post without a pause until `body` is done. */
async function underLoad(body: () => Promise<void>): Promise<void> {
  const owner = await signUp(server);
  const room = await createRoom(server, owner);
  const lines = await Promise.all(Array.from({ length: 5 }, () => LineClient.start(server, owner)));
  let isDone = false;
  const posting = lines.map(async (line) => {
    await line.enter(room.id);
    for (let index = 0; !isDone; index++) await line.post(room.id, `text ${index}`);
  });
  try {
    await body();
  } finally {
    isDone = true;
    await Promise.all(posting);
    await Promise.all(lines.map((line) => line.close()));
  }
}
