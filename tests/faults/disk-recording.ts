/**
 * Records with strace everything that a process does to its database files: what was written where, what was synced,
 * and when. The state of the disk at any moment can be rebuilt from the recording.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FILES = ['roomful.db', 'roomful.db-wal', 'roomful.db-journal'];
/** System calls that the parser knows. */
const KNOWN = ['openat', 'pwrite64', 'ftruncate', 'fsync', 'fdatasync', 'unlink', 'mkdir'];
/** Other system calls that change a file. They are recorded too, so that one of them is an error and not a gap. */
const UNKNOWN = [
  ...['open', 'creat', 'write', 'writev', 'pwritev', 'pwritev2', 'truncate', 'fallocate', 'sync_file_range'],
  ...['rename', 'renameat', 'renameat2', 'unlinkat', 'copy_file_range', 'sendfile'],
];

/** One call that succeeded. Times are milliseconds since 1970. */
export type DiskCall = { startedAt: number; endedAt: number } & (
  | { kind: 'create'; path: string }
  | { kind: 'write'; path: string; offset: number; data: Buffer }
  | { kind: 'truncate'; path: string; length: number }
  | { kind: 'unlink'; path: string }
  | { kind: 'sync'; path: string }
);

/** The command prefix that runs a process and records it. The process keeps the pid that it would have without it. */
export function recorder(dataDir: string, log: string): string[] {
  const paths = [dataDir, ...FILES.map((name) => join(dataDir, name))];
  return [
    ...['strace', '--daemonize', '--follow-forks', '--seccomp-bpf', '--quiet=all', `--output=${log}`],
    ...['-ttt', '--syscall-times=us', '--decode-fds=path', '--strings-in-hex=all', '--string-limit=200000'],
    ...paths.map((path) => `--trace-path=${path}`),
    `--trace=${[...KNOWN, ...UNKNOWN].join(',')}`,
  ];
}

/** Reads a recording. The calls are in the order in which they ended. */
export async function readRecording(log: string): Promise<DiskCall[]> {
  const calls: DiskCall[] = [];
  const unfinished = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(thread, rest.slice(0, -'<unfinished ...>'.length));
      continue;
    }
    const resumed = /^[\d.]+ <\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const call = parseCall(resumed ? `${unfinished.get(thread) ?? ''}${resumed[1] ?? ''}` : rest);
    if (call) calls.push(call);
  }
  return calls.sort((a, b) => a.endedAt - b.endedAt);
}

/** `<seconds> <name>(<arguments>) = <result> <<seconds>>`; undefined for a call that failed or changed nothing. */
function parseCall(text: string): DiskCall | undefined {
  const match = /^([\d.]+) (\w+)\((.*)\)\s+= (-?\d+)(?:<[^>]*>)?.* <([\d.]+)>$/.exec(text);
  if (!match) {
    if (/^[\d.]+ (\+\+\+|---)/.test(text) || / = \?/.test(text)) return undefined;
    throw new Error(`not a line of strace: ${text.slice(0, 300)}`);
  }
  const [, at, name = '', args = '', result] = match;
  if (Number(result) < 0) return undefined;
  const startedAt = Number(at) * 1000;
  const times = { startedAt, endedAt: startedAt + Number(match[5]) * 1000 };
  switch (name) {
    case 'openat':
      return args.includes('O_CREAT')
        ? { ...times, kind: 'create', path: unhex(strings(args)[0]) }
        : undefined;
    case 'pwrite64': {
      const [, , offset = ''] = args.split(', ').slice(-3);
      const data = bytes(strings(args)[0]);
      if (data.length !== Number(result))
        throw new Error(`a short write, or a truncated recording: ${text.slice(0, 300)}`);
      return { ...times, kind: 'write', path: descriptor(args), offset: Number(offset), data };
    }
    case 'ftruncate':
      return { ...times, kind: 'truncate', path: descriptor(args), length: Number(args.split(', ')[1]) };
    case 'fsync':
    case 'fdatasync':
      return { ...times, kind: 'sync', path: descriptor(args) };
    case 'unlink':
      return { ...times, kind: 'unlink', path: unhex(strings(args)[0]) };
    case 'mkdir':
      return undefined;
    default:
      throw new Error(`an unexpected call: ${text.slice(0, 300)}`);
  }
}

function strings(args: string): string[] {
  return [...args.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
}

/** The path of the first argument, an open file: `23<\x2f…>`. */
function descriptor(args: string): string {
  return unhex(/^\d+<([^>]*)>/.exec(args)?.[1]);
}

function bytes(hex: string | undefined): Buffer {
  return Buffer.from((hex ?? '').replaceAll('\\x', ''), 'hex');
}

function unhex(hex: string | undefined): string {
  return bytes(hex).toString('utf8');
}
