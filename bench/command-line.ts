/** What the commands of this folder share: how a command line is read, and how a command ends. */

/** A command line that makes no sense; the message is for whoever typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What `read` gives; what it throws is the fault of the command line. */
export function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The names in a list, each one of those known. */
export function namesIn<Name extends string>(list: string, known: readonly Name[]): Name[] {
  return list.split(',').map((text) => {
    const name = known.find((one) => one === text.trim());
    if (name !== undefined) return name;
    throw new UsageError(`${JSON.stringify(text)} is none of ${known.join(', ')}`);
  });
}

/** Runs a command; the process ends by the rules of the shell, and whatever it has started ends with it. */
export async function runCommand(main: (args: string[]) => Promise<void>): Promise<void> {
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const text = isUsage
      ? `${error.message}. Try --help.`
      : String(error instanceof Error ? error.stack : error);
    process.stderr.write(`${text}\n`);
    process.exit(isUsage ? 2 : 1);
  }
}
