/** The command line. */
import { parseArgs } from 'node:util';
import { DEMO_SIZE, type WorldSize } from './world.ts';

export const HELP = `Usage: npm run demo -- [options]

Starts Roomful with a small company on a temporary data folder: rooms, people, four weeks of conversation,
and some people who are online and write. Ctrl-C ends it and deletes the data.

  --rooms N      rooms (${DEMO_SIZE.rooms})
  --people N     people who have an account (${DEMO_SIZE.people})
  --messages N   messages in the history (${DEMO_SIZE.messages})
  --seed N       another history (1)
  --quiet        nobody is online
  --help         this text

PORT (8080), HOST (127.0.0.1) and the server's other settings are taken from the environment.
All accounts have the same known password, so do not open it to a network.
`;

export interface DemoOptions {
  readonly size: WorldSize;
  readonly seed: number;
  readonly quiet: boolean;
}

/** An invalid command line; the message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The parsed command line, or null when it asks for the help text. */
export function readOptions(args: string[]): DemoOptions | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    size: {
      rooms: whole('--rooms', values.rooms, 1),
      people: whole('--people', values.people, 4),
      messages: whole('--messages', values.messages, 0),
    },
    seed: whole('--seed', values.seed, 0),
    quiet: values.quiet,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        rooms: { type: 'string', default: String(DEMO_SIZE.rooms) },
        people: { type: 'string', default: String(DEMO_SIZE.people) },
        messages: { type: 'string', default: String(DEMO_SIZE.messages) },
        seed: { type: 'string', default: '1' },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function whole(name: string, text: string, min: number): number {
  const value = Number(text);
  if (/^[0-9]{1,7}$/.test(text) && value >= min) return value;
  throw new UsageError(`${name} takes a whole number from ${min}, not ${JSON.stringify(text)}`);
}
