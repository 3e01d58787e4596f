/** Reads the command lines of the measurements and of the simulation, and runs these programs. */

/** An invalid command line. The message is printed for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns the result of `read`. An error that it throws becomes a `UsageError`. */
export function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Parses a list of names. Throws `UsageError` for one that is not known. */
export function namesIn<Name extends string>(list: string, known: readonly Name[]): Name[] {
  return list.split(',').map((text) => {
    const name = known.find((one) => one === text.trim());
    if (name !== undefined) return name;
    throw new UsageError(`${JSON.stringify(text)} is not one of ${known.join(', ')}`);
  });
}

/** Parses a whole number. Throws `UsageError` for anything else, and for a number below `least`. */
export function wholeNumber(text: string, least: number): number {
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value >= least) return value;
  throw new UsageError(`${JSON.stringify(text)} is not a whole number from ${least}`);
}

/** Runs a command. The process exits with the usual codes of a shell, and its child processes end with it. */
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
