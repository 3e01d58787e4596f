/** `roomful room`: the rooms of the server. */
import type { Command } from 'commander';
import { type Ask, withOperator } from '../ask-operator.ts';
import { namedRoom, type OperatorRoom } from '../named-room.ts';
import { answer, CommandError } from '../report.ts';
import { formatTable } from '../table.ts';

interface Json {
  json?: boolean;
}

const AFTER = `
A room is named by its number, or by its name: '#general'. Each command works while the server runs, and while it is
stopped. Private rooms are listed, too; direct conversations are not, unless you ask for them.
`;

export function addRoom(program: Command): void {
  const room = program
    .command('room')
    .description('list, rename, archive, delete and restore rooms')
    .addHelpText('after', AFTER);

  addList(room);

  room
    .command('rename')
    .description('give a room another name')
    .argument('<room>', "its number or '#name'")
    .argument('<name>', 'the new name')
    .option('--json', 'answer in JSON')
    .action(async (named: string, name: string, options: Json) => {
      const data = await inRoom(named, (ask, { id }) => ask('changeRoom', { id, name }));
      answer({ text: `The room is ${data.changed ? 'now' : 'already'} called ${data.name}.`, data }, options);
    });

  for (const [command, archived, description, state] of [
    ['archive', true, 'keep a room for reading only', 'archived'],
    ['unarchive', false, 'open an archived room again', 'open'],
  ] as const)
    room
      .command(command)
      .description(description)
      .argument('<room>', "its number or '#name'")
      .option('--json', 'answer in JSON')
      .action(async (named: string, options: Json) => {
        const data = await inRoom(named, (ask, { id }) => ask('changeRoom', { id, archived }));
        answer({ text: `${data.name} is ${data.changed ? 'now' : 'already'} ${state}.`, data }, options);
      });

  room
    .command('delete')
    .description('hide a room from everybody; for 30 days it can be restored')
    .argument('<room>', "its number or '#name'")
    .option('--yes', 'needed: everybody loses the room at once')
    .option('--json', 'answer in JSON')
    .action(async (named: string, { yes, ...options }: Json & { yes?: boolean }) => {
      if (!yes) throw new CommandError('Everybody loses the room at once. Add --yes.', 2);
      const data = await inRoom(named, (ask, { id }) => ask('deleteRoom', { id }));
      answer({ text: `${data.name} is deleted. For 30 days it can be restored.`, data }, options);
    });

  room
    .command('restore')
    .description('bring a deleted room back, with its members and messages')
    .argument('<room>', "its number or '#name'")
    .option('--name <name>', 'another name, where the old one is taken')
    .option('--json', 'answer in JSON')
    .action(async (named: string, { name, ...options }: Json & { name?: string }) => {
      const terms = name === undefined ? {} : { name };
      const data = await inRoom(named, (ask, { id }) => ask('restoreRoom', { id, ...terms }), {
        deleted: true,
      });
      answer({ text: `${data.name} is restored.`, data }, options);
    });
}

function addList(room: Command): void {
  room
    .command('list')
    .description('list rooms')
    .option('--deleted', 'only rooms that can be restored')
    .option('--dms', 'direct conversations, too')
    .option('--json', 'answer in JSON')
    .action(async ({ deleted, dms, ...options }: Json & { deleted?: boolean; dms?: boolean }) => {
      const { rooms } = await withOperator((ask) => ask('listRooms', {}));
      const shown = rooms.filter(
        ({ kind, deleted_at }) => (dms || kind !== 'dm') && (deleted === true) === (deleted_at !== null),
      );
      const rows = shown.map(({ id, name, kind, members, messages, created_at, archived_at, deleted_at }) => [
        String(id),
        name,
        kind,
        String(members),
        String(messages),
        created_at.slice(0, 10),
        deleted_at === null ? (archived_at === null ? '' : 'archived') : `deleted ${deleted_at.slice(0, 10)}`,
      ]);
      const head = ['id', 'name', 'kind', 'members', 'messages', 'created', 'state'];
      const text = rows.length === 0 ? 'There is none.' : formatTable([head, ...rows]);
      answer({ text, data: { rooms: shown } }, options);
    });
}

/** A room that is not deleted, unless asked for. */
async function inRoom<Result>(
  named: string,
  run: (ask: Ask, room: OperatorRoom) => Promise<Result>,
  { deleted = false } = {},
): Promise<Result> {
  return await withOperator(async (ask) => {
    const { rooms } = await ask('listRooms', {});
    return await run(
      ask,
      namedRoom(
        rooms.filter(({ deleted_at }) => (deleted_at !== null) === deleted),
        named,
      ),
    );
  });
}
