/** `roomful prune`: deletes what is older than the operator wants to keep. */
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandResult } from '../../../features/administration/operator.ts';
import { type Ask, withOperator } from '../ask-operator.ts';
import { namedRoom, type OperatorRoom } from '../named-room.ts';
import { createProgress } from '../progress.ts';
import { answer, CommandError } from '../report.ts';

const DAY_MS = 86_400_000;

const AFTER = `
Works while the server runs: people see how the messages go. It may be stopped at any moment; the same command then goes
on. A deleted message stays as a place without a text, as when a moderator deletes it. Backups still have what they had.
`;

interface Options {
  messagesOlderThan?: number;
  auditOlderThan?: number;
  filesOlderThan?: number;
  room?: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function addPrune(program: Command): void {
  program
    .command('prune')
    .description('delete what is older than you want to keep')
    .option('--messages-older-than <days>', 'such as 365d', days)
    .option('--files-older-than <days>', 'files of messages, which stay with their text', days)
    .option('--room <room>', 'the messages or files of this room alone: its number, or #name')
    .option('--audit-older-than <days>', 'rows of the audit log', days)
    .option('--dry-run', 'only count')
    .option('--yes', 'needed without --dry-run: nothing brings back what is deleted')
    .option('--json', 'answer in JSON')
    .addHelpText('after', AFTER)
    .action(async (options: Options) => {
      const { messagesOlderThan: messages, filesOlderThan: files, auditOlderThan: audit } = options;
      if (messages === undefined && files === undefined && audit === undefined)
        throw new CommandError(
          'Say what is to be deleted: --messages-older-than, --files-older-than or --audit-older-than.',
          2,
        );
      if (options.room !== undefined && messages === undefined && files === undefined)
        throw new CommandError('--room goes with --messages-older-than or --files-older-than.', 2);
      if (options.dryRun && (audit !== undefined || files !== undefined))
        throw new CommandError('--dry-run counts messages only.', 2);
      if (!options.dryRun && !options.yes)
        throw new CommandError('Nothing brings back what is deleted. Look with --dry-run, or add --yes.', 2);
      const data = await withOperator((ask) => prune(ask, options));
      answer({ text: sentences(data, options).join('\n'), data }, options);
    });
}

interface Counts {
  messages?: number;
  files?: number;
  audit?: number;
}

async function prune(ask: Ask, options: Options): Promise<Counts> {
  const { messagesOlderThan, filesOlderThan, auditOlderThan, room, dryRun = false } = options;
  const counts: Counts = {};
  if (messagesOlderThan !== undefined || filesOlderThan !== undefined) {
    const { rooms } = await ask('listRooms', {});
    const chosen = room === undefined ? rooms : [namedRoom(rooms, room)];
    if (messagesOlderThan !== undefined)
      counts.messages = await pruneMessages(ask, chosen, { before: messagesOlderThan, dry: dryRun });
    if (filesOlderThan !== undefined) counts.files = await pruneFiles(ask, chosen, filesOlderThan);
  }
  if (auditOlderThan !== undefined) {
    counts.audit = 0;
    for (let more = true; more; ) {
      const piece = await ask('pruneAudit', { before: auditOlderThan, first: counts.audit === 0 });
      counts.audit += piece.count;
      more = piece.more;
    }
  }
  return counts;
}

async function pruneFiles(ask: Ask, rooms: readonly OperatorRoom[], before: number): Promise<number> {
  const progress = createProgress();
  const run = { audit_id: null as number | null, files: 0 };
  try {
    for (const [index, room] of rooms.entries()) {
      for (let more = true; more; ) {
        progress.tell('deleting files', index, rooms.length);
        const done: CommandResult<'pruneFiles'> = await ask('pruneFiles', { room_id: room.id, before, run });
        run.files += done.count;
        run.audit_id = done.audit_id;
        more = done.more;
      }
    }
  } finally {
    progress.end();
  }
  return run.files;
}

async function pruneMessages(
  ask: Ask,
  rooms: readonly OperatorRoom[],
  { before, dry }: { before: number; dry: boolean },
): Promise<number> {
  const all = rooms.reduce((sum, { seq }) => sum + seq, 0);
  const progress = createProgress();
  const run = { audit_id: null as number | null, messages: 0, rooms: 0 };
  let passed = 0;
  try {
    for (const room of rooms) {
      const inRoomsBefore = run.messages;
      for (let reached: number | null = 0; reached !== null; ) {
        progress.tell(dry ? 'counting' : 'deleting', passed + reached, all);
        const piece = {
          room_id: room.id,
          after_seq: reached,
          before,
          dry,
          run: { ...run, rooms: run.rooms + 1 },
        };
        const done: CommandResult<'pruneTexts'> = await ask('pruneTexts', piece);
        run.messages += done.count;
        run.audit_id = done.audit_id;
        reached = done.reached;
      }
      if (run.messages > inRoomsBefore) run.rooms++;
      passed += room.seq;
    }
  } finally {
    progress.end();
  }
  return run.messages;
}

function sentences({ messages, files, audit }: Counts, { dryRun }: Options): string[] {
  const verb = dryRun ? 'would be' : 'were';
  return [
    ...(messages === undefined ? [] : [`${messages} messages ${verb} deleted.`]),
    ...(files === undefined ? [] : [`${files} files were deleted.`]),
    ...(audit === undefined ? [] : [`${audit} rows of the audit log ${verb} deleted.`]),
  ];
}

/** The time that lies so many days back, in Unix milliseconds. */
function days(text: string): number {
  const count = /^([1-9][0-9]{0,4})d$/.exec(text)?.[1];
  if (count === undefined) throw new InvalidArgumentError('It must be a number of days, such as 365d.');
  return Date.now() - Number(count) * DAY_MS;
}
