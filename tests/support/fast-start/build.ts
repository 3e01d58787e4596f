/**
 * Joins the compiled modules of the server and of its command into one file each, for the tests that start them again
 * and again (Vitest's globalSetup). Such a start takes less than half of the CPU time: Node loads one file in place of
 * some 700, and V8 finds it compiled. The browser tests, the long trials and the tests of the deployment start the
 * server as it ships.
 */
import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { runCommand } from '../command.ts';
import { LineClient } from '../line-client.ts';
import { ServerProcess } from '../server-process.ts';
import { createRoom, signUp } from '../users.ts';
import { bundleFile, codeFile, DIST, ENTRIES, type Entry, FOLDER, fastStart } from './entries.ts';

/** What tsc has noted of each project at its last change. */
const NOTES = ['server', 'protocol'].map((name) => join(DIST, name, 'tsconfig.tsbuildinfo'));
/** Their compiled parts are found beside their own files. */
const EXTERNAL = [/^better-sqlite3/, /^@node-rs\//, 'pg-native'];

export async function setup(): Promise<void> {
  const entries = Object.keys(ENTRIES) as Entry[];
  process.env.FAST_START = FOLDER;
  const isNew = entries.some(isDue);
  mkdirSync(FOLDER, { recursive: true });
  if (isNew) await Promise.all(entries.map(bundle));
  if (isNew || entries.some((entry) => !existsSync(codeFile(entry)))) await warmUp();
}

function isDue(entry: Entry): boolean {
  const file = bundleFile(entry);
  if (!existsSync(file)) return true;
  const { mtimeMs } = statSync(file);
  return NOTES.some((note) => statSync(note).mtimeMs >= mtimeMs);
}

async function bundle(entry: Entry): Promise<void> {
  const build = await rolldown({
    input: join(DIST, ENTRIES[entry]),
    platform: 'node',
    external: EXTERNAL,
    plugins: [{ name: 'own-place', transform: keepOwnPlace }],
    logLevel: 'warn',
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, comments: false });
  await build.close();
  put(bundleFile(entry), toAscii(toScript(output[0].code)));
  put(
    fastStart(entry) ?? '',
    `import { load } from '../tests/support/fast-start/load.js';\nawait load('${entry}');\n`,
  );
}

/** A module that looks for files beside it still finds them from where it was compiled to. */
function keepOwnPlace(code: string, id: string): string | null {
  if (!id.startsWith(DIST) || !code.includes('import.meta.url')) return null;
  return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
}

/** The body of an async function of `require`: V8 keeps what it has compiled of a script, not of a module. */
function toScript(code: string): string {
  return code
    .replaceAll(/^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+))?(\{.*\})? ?from (".*");$/gm, toRequire)
    .replaceAll(/^import (".*");$/gm, 'require($1);')
    .replaceAll(/^export (?:default .*|\{.*\});$/gm, '')
    .replaceAll(/\bimport\((".*?")\)/g, 'Promise.resolve().then(() => require($1))')
    .replaceAll('createRequire(import.meta.url)', 'require');
}

function toRequire(_: string, byDefault = '', all = '', named = '', from = ''): string {
  const names = [byDefault, all, named.replaceAll(/([\w$]+) as ([\w$]+)/g, '$1: $2')];
  return names.flatMap((name) => (name === '' ? [] : `const ${name} = require(${from});`)).join(' ');
}

function toAscii(code: string): string {
  return code.replaceAll(
    /[^\n\x20-\x7e\t]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** At once: another run of tests may be reading the file that was there. */
function put(file: string, text: string): void {
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

/** Keeps what V8 compiles for a start, a little use and a command. */
async function warmUp(): Promise<void> {
  const env = { FAST_START_WARMS_UP: '1' };
  await using server = await ServerProcess.start({ env });
  const user = await signUp(server);
  const room = await createRoom(server, user);
  const line = await LineClient.start(server, user);
  await line.post(room.id, 'hello');
  await line.close();
  await runCommand(server, ['user', 'list'], { env });
  await server.stop();
}
