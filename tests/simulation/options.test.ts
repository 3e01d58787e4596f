import { describe, expect, it } from 'vitest';
import { UsageError } from '../support/command-line.ts';
import { HELP, readOptions } from './options.ts';

describe('the command line of the simulation', () => {
  it.each(['--help', '-h'])('%s asks for the help text, whatever else is there', (help) => {
    expect(readOptions([help, '--seeds', 'many'])).toBe(null);
  });

  it('the help text names each option', () => {
    const named = [...HELP.matchAll(/^ {2}--([a-z]+)/gm)].map(([, name]) => name);
    expect(named).toEqual(['seeds', 'from', 'seed', 'alone', 'cluster', 'planted', 'only', 'help']);
  });

  it.each([['--nonsense'], ['--seed'], ['4711'], ['--seeds', '0'], ['--seeds', '1e3'], ['--from', '-1']])(
    '%s %s is refused',
    (...args) => {
      expect(() => readOptions(args)).toThrow(UsageError);
    },
  );

  it('plays 10 000 seeds, from the one that is named', () => {
    const options = { seeds: 10_000, seed: undefined, isAlone: undefined, planted: undefined, only: '' };
    expect(readOptions(['--from', '4711'])).toEqual({ ...options, first: 4711 });
  });

  it.each([
    [[], undefined],
    [['--alone'], true],
    [['--cluster'], false],
    [['--alone', '--cluster'], true],
  ])('one seed with %j: isAlone is %s', (args, isAlone) => {
    expect(readOptions(['--seed', '0', ...args])).toMatchObject({ seed: 0, isAlone });
  });
});
