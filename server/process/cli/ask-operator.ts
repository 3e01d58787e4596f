/** Has a command of the operator done: by the running server, or here while none runs. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createMemoryBus } from '../../data/bus/memory.ts';
import { Administration } from '../../features/administration/administration.ts';
import { controlPath } from '../../features/administration/control.ts';
import {
  type CommandArgs,
  type CommandName,
  type CommandResult,
  runOperator,
} from '../../features/administration/operator.ts';
import {
  type IndexControl,
  OperatorError,
  type OperatorParts,
} from '../../features/administration/operator-command.ts';
import { Registrations } from '../../features/administration/registrations.ts';
import { Removal } from '../../features/administration/removal.ts';
import { ServerName } from '../../features/administration/server-name.ts';
import { Passwords } from '../../features/identity/passwords.ts';
import { lateStems } from '../../features/search/compose.ts';
import { statusOf } from '../../features/search/index-status.ts';
import { readBuildInfo } from '../../platform/build-info.ts';
import { type Config, readConfig, readEnvironment } from '../../platform/config.ts';
import { createSearchIndex } from '../composition/search-index.ts';
import { type Opened, withStore } from './open-store.ts';
import { CommandError, say } from './report.ts';

/** The answer of a server that is busy takes a while. */
const ANSWER_TIMEOUT_MS = 60_000;

export type Ask = <Name extends CommandName>(
  name: Name,
  args: CommandArgs<Name>,
) => Promise<CommandResult<Name>>;

export async function askOperator<Name extends CommandName>(
  name: Name,
  args: CommandArgs<Name>,
): Promise<CommandResult<Name>> {
  return await withOperator<CommandResult<Name>>((ask) => ask(name, args));
}

/** For several commands that belong together: without a server the database stays open between them. */
export async function withOperator<Result>(use: (ask: Ask) => Promise<Result>): Promise<Result> {
  const config = readConfig(readEnvironment());
  const path = controlPath(config.dataDir);
  // Several processes on one database have no common socket; they read from the database what changes there.
  const socket = config.redisUrl === undefined ? await connectTo(path) : undefined;
  if (!socket)
    return await withStore((opened) =>
      withIndex(opened, config, (search) =>
        use(askOf((name, args) => runHere(partsOf(opened, search, config), name, args))),
      ),
    );
  // Only tested whether a server listens. Each command has a connection of its own.
  socket.destroy();
  return await use(askOf((command, args) => askServer(path, { command, args })));
}

/** The arguments and results are those of the command of that name; TypeScript cannot follow the pairing. */
function askOf(run: (name: string, args: unknown) => Promise<unknown>): Ask {
  return run as Ask;
}

async function askServer(path: string, request: object): Promise<unknown> {
  const socket = await connectTo(path);
  if (!socket) throw new CommandError('The server has stopped meanwhile. Run the command again.');
  return await ask(socket, request);
}

/** Undefined: no server listens there. */
async function connectTo(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK') return undefined;
    if (code === 'EACCES')
      throw new CommandError(
        `Only the user who runs the server may use ${path}. Run the command as that user.`,
      );
    throw error;
  }
}

async function ask(socket: Socket, request: object): Promise<unknown> {
  socket.setEncoding('utf8').setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
  socket.write(`${JSON.stringify(request)}\n`);
  let text = '';
  try {
    for await (const chunk of socket) text += chunk;
  } catch {
    // As an answer that is cut short.
  }
  socket.destroy();
  if (!text.endsWith('\n'))
    throw new CommandError('The server did not answer. Its log may say why; the command may have been done.');
  const answer = JSON.parse(text) as { result: unknown } | { error: string };
  if ('error' in answer) throw new CommandError(answer.error);
  return answer.result;
}

/** The index is opened by the first command that asks for it. */
async function withIndex<Result>(
  { store, epoch, ofDatabase }: Opened,
  config: Config,
  use: (search: IndexControl) => Promise<Result>,
): Promise<Result> {
  let wasDamaged = false;
  const index = createSearchIndex(config, {
    ...{ store, epoch, ofDatabase, stems: lateStems(config.searchLanguages) },
    onDamage: (error) => {
      wasDamaged = true;
      say(`The index of the search was damaged (${error}); the next start makes it anew.`);
    },
  });
  // What finds the damage is refused, and the file is deleted: a second try finds none.
  const asked = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
    await ask().catch((error: unknown) => {
      if (wasDamaged) return ask();
      throw error;
    });
  try {
    return await use({
      status: () => asked(() => statusOf({ index, store })),
      rebuild: () => asked(() => index.clear()),
    });
  } finally {
    await index.close();
  }
}

function partsOf({ store }: Opened, search: IndexControl, config: Config): OperatorParts {
  const bus = createMemoryBus();
  const administration = new Administration({
    store,
    bus,
    attempts: undefined,
    now: Date.now,
    version: readBuildInfo().version,
    searchStatus: search.status,
    announceEnd: () => undefined,
  });
  const origin = config.publicUrls[0] ?? `http://localhost:${config.port}`;
  const removal = new Removal({ store, bus, announceEnd: () => undefined, now: Date.now });
  const registrations = new Registrations({ store, bus, announceEnd: () => undefined, now: Date.now });
  const serverName = new ServerName({ store, now: Date.now });
  const passwords = new Passwords();
  return { store, bus, administration, serverName, removal, registrations, passwords, search, origin };
}

async function runHere(parts: OperatorParts, name: string, args: unknown): Promise<unknown> {
  try {
    return await runOperator(parts, name, args);
  } catch (error) {
    if (error instanceof OperatorError) throw new CommandError(error.message);
    throw error;
  }
}
