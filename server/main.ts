/** The process: settings, start, signals. Exit codes: 0 stopped as asked, 1 could not start or go on, 2 bad settings. */
import { networkInterfaces } from 'node:os';
import { startApp } from './app.ts';
import { readBuildInfo } from './build-info.ts';
import { type Config, ConfigError, loadDotEnv, readConfig } from './config.ts';
import { createLogger, type Logger } from './log.ts';
import { UnusableDatabaseError } from './storage/unusable-database.ts';

/** A stop that takes longer than this is not going to end well. */
const STOP_DEADLINE_MS = 9500;

const SIGNAL_ECHO_MS = 1000;

const HELP = `Usage: node dist/server/main.js [--help] [--version]

Runs Roomful: the chat service and its web client, on one port.
All settings come from the environment or from a .env file; .env.example lists them with their defaults.
The ones needed most: PORT (8080), HOST (0.0.0.0), DATA_DIR (data), LOG_LEVEL (info).
`;

async function main(args: string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(HELP);
  if (args.includes('--version')) return void process.stdout.write(`${readBuildInfo().version}\n`);
  if (args.length > 0) return fail(2, `Unknown argument ${JSON.stringify(args[0])}. Try --help.`);
  const config = readSettings();
  if (!config) return;
  const log = createLogger(config.logLevel);
  for (const warning of config.warnings) log.warn(warning);
  await run(config, log);
}

function readSettings(): Config | undefined {
  try {
    loadDotEnv();
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    fail(2, error.message);
    return undefined;
  }
}

async function run(config: Config, log: Logger): Promise<void> {
  function onFatal(error: Error): void {
    log.fatal({ err: error }, 'the process must end');
    process.exit(1);
  }
  process.on('uncaughtException', onFatal);
  process.on('unhandledRejection', (reason) =>
    onFatal(reason instanceof Error ? reason : new Error(String(reason))),
  );

  const app = await startApp(config, log, onFatal).catch((error) =>
    fail(error instanceof ConfigError ? 2 : 1, explainStartFailure(error, config)),
  );
  if (!app) return;

  let stoppingSince: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        // The second one means it, unless it is the first one's echo: npm passes on what the terminal sent us, too.
        if (performance.now() - stoppingSince > SIGNAL_ECHO_MS) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      log.info({ signal }, 'stopping');
      setTimeout(() => onFatal(new Error('the stop took too long')), STOP_DEADLINE_MS).unref();
      app.stop().then(() => {
        log.info('stopped');
        process.exit(0);
      }, onFatal);
    });
  }

  const { version } = readBuildInfo();
  const isEverywhere = ['0.0.0.0', '::'].includes(config.host);
  const host = isEverywhere || ['127.0.0.1', '::1'].includes(config.host) ? 'localhost' : config.host;
  const { port } = app.address;
  const outside = isEverywhere ? networkAddress() : undefined;
  const others = outside === undefined ? '' : `, for others at http://${outside}:${port}`;
  process.stdout.write(`Roomful ${version} is ready at http://${host}:${port}${others}\n`);
  log.info(
    { address: app.address.address, port: app.address.port, dataDir: config.dataDir, version },
    'ready',
  );
}

/** Where others in the same network reach this machine, if it is in one. */
function networkAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

function explainStartFailure(error: unknown, config: Config): string {
  if (error instanceof UnusableDatabaseError || error instanceof ConfigError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${config.port} is in use. Stop what uses it, or set PORT to another.`;
  if (error instanceof Error && 'syscall' in error) {
    // A fault of the surroundings: the system's own words say which, a stack would say nothing more.
    return `Roomful could not start: ${error.message}. Check HOST (${config.host}), PORT (${config.port}) and DATA_DIR (${config.dataDir}).`;
  }
  return `Roomful could not start: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}

/** Says why on standard error and ends the process. */
function fail(code: 1 | 2, sentence: string): undefined {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

await main(process.argv.slice(2));
