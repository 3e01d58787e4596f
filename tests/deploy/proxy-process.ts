/** A reverse proxy as a process: nginx or Caddy, with a configuration of deploy/ put on free ports of this machine. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { whyNotInstalled } from '../support/installed.ts';

/** The name in the certificate and in the files of deploy/. */
export const SERVER_NAME = 'chat.example.org';

/** This file runs as dist/tests/deploy/proxy-process.js. */
const DEPLOY = new URL('../../../deploy/', import.meta.url);
const START_WITHIN_MS = 20_000;

/** What a configuration file needs to know of this machine. */
interface Surroundings {
  dir: string;
  /** Of TLS, and of plain HTTP. */
  port: number;
  plainPort: number;
  /** Roomful's. */
  upstreamPort: number;
}

const PROXIES = {
  nginx: {
    debianPackage: 'nginx-light',
    file: 'nginx.conf.example',
    configure: (sample: string, { dir, port, plainPort, upstreamPort }: Surroundings) => `
      daemon off; master_process off; pid ${dir}/nginx.pid; error_log stderr;
      events {}
      http {
        access_log off;
        client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/fastcgi;
        uwsgi_temp_path ${dir}/uwsgi; scgi_temp_path ${dir}/scgi;
        ${sample
          .replace(/listen \[::\].*/g, '')
          .replace('listen 443', `listen 127.0.0.1:${port}`)
          .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
          .replace('127.0.0.1:8080', `127.0.0.1:${upstreamPort}`)
          .replace(/\/etc\/ssl\/\S+\.pem/, `${dir}/cert.pem`)
          .replace(/\/etc\/ssl\/\S+\.key/, `${dir}/key.pem`)}
      }`,
    args: (config: string, dir: string) => ['-p', dir, '-e', 'stderr', '-c', config],
  },
  caddy: {
    debianPackage: 'caddy',
    file: 'Caddyfile.example',
    configure: (sample: string, { dir, port, plainPort, upstreamPort }: Surroundings) =>
      `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n${sample
        .replace(`\n${SERVER_NAME} {`, `\n${SERVER_NAME}:${port} {\n\ttls ${dir}/cert.pem ${dir}/key.pem`)
        .replace('127.0.0.1:8080', `127.0.0.1:${upstreamPort}`)}`,
    args: (config: string) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
};

export type ProxyKind = keyof typeof PROXIES;

/** Why a proxy's tests are left out; in CI they never are, so that a missing program fails there. */
export function whyNoProxy(kind: ProxyKind): string | undefined {
  return whyNotInstalled(kind, PROXIES[kind].debianPackage) ?? whyNotInstalled('openssl');
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class ProxyProcess {
  readonly port: number;
  readonly plainPort: number;
  readonly #child: ChildProcess;
  readonly #dir: string;

  private constructor(child: ChildProcess, { dir, port, plainPort }: Surroundings) {
    this.#child = child;
    this.#dir = dir;
    this.port = port;
    this.plainPort = plainPort;
  }

  /** Starts the proxy in front of a server; `change` makes the file of deploy/ the one of a careless operator. */
  static async start(
    kind: ProxyKind,
    upstreamPort: number,
    change?: (sample: string) => string,
  ): Promise<ProxyProcess> {
    const { file, configure, args } = PROXIES[kind];
    const dir = mkdtempSync(join(tmpdir(), `roomful-${kind}-`));
    const surroundings = { dir, upstreamPort, port: await freePort(), plainPort: await freePort() };
    makeCertificate(dir);
    const config = join(dir, 'config');
    const sample = readFileSync(new URL(file, DEPLOY), 'utf8');
    const used = change ? change(sample) : sample;
    if (change && used === sample) throw new Error(`nothing was changed in ${file}`);
    writeFileSync(config, configure(used, surroundings));
    const child = spawn(kind, args(config, dir), {
      env: { PATH: process.env.PATH ?? '', HOME: dir },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.add(child);
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ended = once(child, 'close').then(() => running.delete(child));
    const proxy = new ProxyProcess(child, surroundings);
    const deadline = performance.now() + START_WITHIN_MS;
    while (!(await accepts(proxy.port))) {
      if (child.exitCode === null && performance.now() < deadline) continue;
      child.kill('SIGKILL');
      await ended;
      throw new Error(`${kind} did not start:\n${said}`);
    }
    return proxy;
  }

  /** The origin of a page that was opened through the proxy. */
  get origin(): string {
    return `https://${SERVER_NAME}:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'close');
    }
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

function makeCertificate(dir: string): void {
  const subject = ['-subj', `/CN=${SERVER_NAME}`, '-addext', `subjectAltName=DNS:${SERVER_NAME}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '2', ...subject, ...files], { stdio: 'ignore' });
}

/** Whether something listens, asked with a pause. */
async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  const answer = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => setTimeout(resolve, 50, false));
  });
  socket.destroy();
  return answer;
}
