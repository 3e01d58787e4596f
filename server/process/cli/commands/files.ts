/** `roomful files`: where the bytes of uploaded files are. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PlaceError } from '../../../data/blobs/place-error.ts';
import type { FilePlace } from '../../../data/storage/store.ts';
import type { MovableFile } from '../../../features/files/move.ts';
import { readConfig, readEnvironment } from '../../../platform/config.ts';
import { openPlaces } from '../../composition/places.ts';
import { type Ask, withOperator } from '../ask-operator.ts';
import { createProgress } from '../progress.ts';
import { answer, CommandError } from '../report.ts';

const KEEP_EVERY_MS = 10_000;
const NAMED = 10;

const AFTER = `
Works while the server runs: people go on using their files. Each file is compared with its hash, and deleted at its old
place once the database names the new one. Files that are still on their way stay: run the command again for them.

To the bucket: start the server with S3_URL, and move. Back to FILES_DIR: move while the server runs, stop it, move the
rest, and start it without S3_URL.

It may be stopped at any moment; the same command then goes on, half a minute later.
Exit code 1: a file is damaged or missing, and stays where it is, or the move ended too early.
`;

export function addFiles(program: Command): void {
  const files = program.command('files').description('where the bytes of uploaded files are');
  files
    .command('move')
    .description('move all files to the bucket of S3_URL, or back to FILES_DIR')
    .addOption(new Option('--to <place>', 's3 or disk').argParser(placeOf).makeOptionMandatory())
    .option('--json', 'answer in JSON')
    .addHelpText('after', AFTER)
    .action(async ({ to, ...options }: { to: FilePlace; json?: boolean }) => {
      const settings = readConfig(readEnvironment()).files;
      if (settings.s3 === undefined)
        throw new CommandError('There is no bucket: set S3_URL and its keys as for the server.', 2);
      const places = await openPlaces(settings);
      const { moved, others } = await withOperator((ask) => inTurn(ask, () => move(ask, places, to))).catch(
        (error: unknown) => {
          throw explained(error);
        },
      );
      const { files: count, bytes, damaged } = moved;
      const text = [
        `${count} files, ${(bytes / 2 ** 20).toFixed(1)} MiB, were moved to ${to === 's3' ? settings.s3.url : settings.folder}.`,
        ...(others > 0 ? [`${others} were on their way, and stay. Run the command again later.`] : []),
        ...(damaged.length > 0
          ? [`${damaged.length} are damaged or missing, and stay: ${damaged.slice(0, NAMED).join(', ')}.`]
          : []),
      ];
      answer({ text: text.join('\n'), data: { to, ...moved, others } }, options);
      if (damaged.length > 0) process.exitCode = 1;
    });
}

type Places = Awaited<ReturnType<typeof openPlaces>>;

async function move(ask: Ask, places: Places, to: FilePlace) {
  const { moveFiles } = await import('../../../features/files/move.ts');
  const from = to === 's3' ? 'disk' : 's3';
  const progress = createProgress();
  let others = 0;
  async function* filesAt(place: FilePlace): AsyncGenerator<MovableFile[], void> {
    let seen = 0;
    for (let after: string | null = ''; after !== null; ) {
      const page: Awaited<ReturnType<typeof ask<'filesAt'>>> = await ask('filesAt', { place, after });
      yield page.files;
      seen += page.seen;
      if (place === from) others += page.others;
      progress.tell(place === from ? 'moving files' : 'cleaning up', seen, page.all);
      after = page.after;
    }
  }
  const moved = async (key: string) => (await ask('moveFile', { key, from, to })).moved;
  return { moved: await moveFiles({ places, from, to, filesAt, moved }).finally(progress.end), others };
}

/** Two moves at once could each delete what the other one has just written. */
async function inTurn<Result>(ask: Ask, work: () => Promise<Result>): Promise<Result> {
  if (!(await ask('moveTurn', { act: 'take' })).taken)
    throw new CommandError(
      'Another move of files runs, or was stopped a moment ago. Try again in half a minute.',
    );
  const keep = setInterval(() => {
    ask('moveTurn', { act: 'keep' }).catch(() => undefined);
  }, KEEP_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(keep);
    await ask('moveTurn', { act: 'end' });
  }
}

/** What a place says is a sentence for the operator. */
function explained(error: unknown): unknown {
  const said = error instanceof Error && error.cause instanceof PlaceError ? error.cause : error;
  return said instanceof PlaceError ? new CommandError(said.message) : error;
}

function placeOf(text: string): FilePlace {
  if (text === 's3' || text === 'disk') return text;
  throw new InvalidArgumentError('It must be s3 or disk.');
}
