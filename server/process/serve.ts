/** One run of the service: settings, start, signals, stop. */
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isatty } from 'node:tty';
import { readBuildInfo } from '../platform/build-info.ts';
import {
  type Config,
  ConfigError,
  misspeltSettings,
  readConfig,
  readEnvironment,
} from '../platform/config.ts';
import { createLogger, type Logger, throttled } from '../platform/log.ts';
import { UnusableDatabaseError, WrongDatabaseError } from '../platform/unusable-database.ts';
import { WorkerStartError } from './workers/worker-start-error.ts';

/** A stop that takes longer than this has failed. */
const STOP_DEADLINE_MS = 9500;
/** A second signal within this time is a duplicate of the first: npm forwards what the terminal has also sent us. */
const SIGNAL_ECHO_MS = 1000;

/** Ends the process with an exit code, after a sentence for the operator. */
type Fail = (code: 1 | 2, sentence: string) => never;

/** What runs in this process: the service, or the workers that run it. */
interface Service {
  address: AddressInfo;
  setupCode?: string | undefined;
  stop(): Promise<void>;
  /** Replaces the workers by new ones. */
  reload?(): void;
}

/** Runs the service until a signal or a fatal error ends the process. */
export async function serve(fail: Fail): Promise<void> {
  const config = readSettings(fail);
  const log = createLogger(config.logLevel);
  if (cluster.isPrimary) {
    for (const warning of config.warnings) log.warn(warning);
    for (const misspelt of misspeltSettings())
      log.warn(misspelt, 'a name in .env is no setting, and has no effect');
  }

  function onFatal(error: Error): never {
    log.fatal({ err: error }, 'the process must end');
    process.exit(1);
  }
  process.on('uncaughtException', onFatal);
  process.on('unhandledRejection', (reason) =>
    onFatal(reason instanceof Error ? reason : new Error(String(reason))),
  );
  logWarnings(log);
  ignoreSignals(log);

  // A start may wait for PostgreSQL without an end. A signal ends it at once, and with workers theirs.
  let stop = async () => {};
  stopOnSignals(() => stop(), log, onFatal);
  const start = config.workers > 1 && cluster.isPrimary ? startWorkers : startHere;
  const service = await start(config, log, onFatal).catch((error) =>
    fail(exitCodeOf(error), explainStartFailure(error, config)),
  );
  stop = () => service.stop();
  if (service.reload) process.removeAllListeners('SIGHUP').on('SIGHUP', service.reload);
  if (cluster.isPrimary) announce(service, config, log);
}

async function startHere(config: Config, log: Logger, onFatal: (error: Error) => void): Promise<Service> {
  const { startApp } = await import('./app.ts');
  const app = await startApp(config, log, onFatal);
  if (cluster.isWorker) (await import('./workers/orders.ts')).obeyPrimary(app, onFatal);
  return app;
}

async function startWorkers(config: Config, log: Logger): Promise<Service> {
  const { Crew } = await import('./workers/crew.ts');
  const crew = new Crew(config.workers, log);
  const { address, setupCode } = await crew.start();
  const reload = hasTerminal ? undefined : () => crew.reload();
  return { address, setupCode, stop: () => crew.stop(), ...(reload && { reload }) };
}

function exitCodeOf(error: unknown): 1 | 2 {
  const isSetting = error instanceof ConfigError || error instanceof WrongDatabaseError;
  return isSetting || (error instanceof WorkerStartError && error.code === 2) ? 2 : 1;
}

function readSettings(fail: Fail): Config {
  try {
    return readConfig(readEnvironment());
  } catch (error) {
    if (error instanceof ConfigError) return fail(2, error.message);
    throw error;
  }
}

/** Node writes its warnings as text between the lines of the log. Those of other threads stay that. */
function logWarnings(log: Logger): void {
  // `--no-warnings`
  if (process.listenerCount('warning') === 0) return;
  const warn = throttled<Error>((err, count) => log.warn({ err, count }, 'Node warns of something'));
  process.removeAllListeners('warning').on('warning', warn);
}

/**
 * These would end the process by default, and SIGUSR1 would open Node's inspector, through which anybody on the machine
 * can run code in the process. SIGHUP is a reason to stop only when it says that our terminal is gone.
 */
function ignoreSignals(log: Logger): void {
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
    process.on(signal, () => {
      if (signal !== 'SIGHUP' || !hasTerminal) log.info({ signal }, 'signal ignored');
    });
  }
}

/** Read once, at the start: after the terminal is closed, `isTTY` is false. */
const hasTerminal = isatty(0);

function stopOnSignals(stop: () => Promise<void>, log: Logger, onFatal: (error: Error) => never): void {
  let stoppingSince: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', ...(hasTerminal ? (['SIGHUP'] as const) : [])] as const) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > SIGNAL_ECHO_MS) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      log.info({ signal }, 'stopping');
      setTimeout(() => onFatal(new Error('the stop took too long')), STOP_DEADLINE_MS).unref();
      stop().then(() => {
        log.info('stopped');
        if (signal === 'SIGHUP') endBySignal(signal);
        else process.exit(0);
      }, onFatal);
    });
  }
}

/** Ends the process by the signal's default action: Node's own exit aborts when its terminal is gone. */
function endBySignal(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * The one line on standard output, its counterpart in the log, and how to become admin while nobody is. A person at a
 * terminal reads that as a sentence, too.
 */
function announce({ address: { address, port }, setupCode }: Service, config: Config, log: Logger): void {
  const { host, dataDir, publicUrls } = config;
  const { version } = readBuildInfo();
  const isEverywhere = ['0.0.0.0', '::'].includes(host);
  const shown = isEverywhere || ['127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  const outside = isEverywhere ? networkAddress() : undefined;
  const others = outside === undefined ? '' : `, for others at http://${outside}:${port}`;
  process.stdout.write(`Roomful ${version} is ready at http://${shown}:${port}${others}\n`);
  log.info({ address, port, dataDir, version }, 'ready');
  if (setupCode === undefined) return;
  const link = `${publicUrls[0] ?? `http://${shown}:${port}`}/setup/${setupCode}`;
  log.info({ link }, 'there is no admin yet: open the link and sign in to become one; it works once');
  if (process.stdout.isTTY)
    process.stdout.write(`There is no admin yet. To become the admin, open ${link}\n`);
}

/** The address at which others in the same network reach this machine; undefined when it is in none. */
function networkAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

function explainStartFailure(error: unknown, config: Config): string {
  const hasSentence = [UnusableDatabaseError, ConfigError, WorkerStartError].some(
    (kind) => error instanceof kind,
  );
  if (hasSentence && error instanceof Error) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${config.port} is in use. Stop what uses it, or set PORT to another.`;
  if (error instanceof Error && 'syscall' in error) {
    // The environment is at fault: the system's message names the cause, and a stack would add nothing.
    return (
      `Roomful could not start: ${error.message}. ` +
      `Check HOST (${config.host}), PORT (${config.port}) and DATA_DIR (${config.dataDir}).`
    );
  }
  return `Roomful could not start: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}
