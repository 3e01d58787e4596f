/** `roomful start`: the server. */
import type { Command } from 'commander';

export function addStart(program: Command): void {
  program
    .command('start')
    .description('run the server: the chat service and its web client, on one port')
    .addHelpText(
      'after',
      '\nThe settings needed most: PORT (8080), HOST (0.0.0.0), DATA_DIR (data, in the working directory), LOG_LEVEL (info).\n' +
        'Runs until SIGTERM or Ctrl+C.\n',
    )
    .action(async () => await (await import('../../run.ts')).run());
}
