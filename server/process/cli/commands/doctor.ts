/** `roomful doctor`: what is wrong with the set-up. */
import { type Command, InvalidArgumentError } from 'commander';
import { misspeltSettings, readConfig, readEnvironment } from '../../../platform/config.ts';
import { type Check, warning } from '../doctor/check.ts';
import { answer } from '../report.ts';

const MARKS = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' } as const;

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look for what is wrong with the set-up, while the server runs or is stopped')
    .option('--url <address>', 'the address that people use, to check the proxy, too', addressOf)
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nIt changes nothing. Exit code 1: there is a problem; warnings alone are 0.\n')
    .action(async ({ url, ...options }: { url?: URL; json?: boolean }) => {
      const config = readConfig(readEnvironment());
      const misspelt = misspeltSettings().map(({ name, meant }) =>
        warning('settings', `${name} in .env is no setting, and has no effect. Is ${meant} meant?`),
      );
      const { checkThisMachine } = await import('../doctor/this-machine.ts');
      const checks = [...misspelt, ...(await checkThisMachine(config))];
      if (url) checks.push(...(await (await import('../doctor/through-url.ts')).checkUrl(url, config)));
      answer({ text: checks.map(lineOf).join('\n'), data: { checks } }, options);
      if (checks.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1;
    });
}

function lineOf({ name, verdict, told }: Check): string {
  return `${MARKS[verdict]} ${name}: ${told}`;
}

function addressOf(text: string): URL {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text);
  throw new InvalidArgumentError('It must be an address such as https://chat.example.org.');
}
