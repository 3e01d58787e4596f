import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/platform/config.ts';

/** This file runs as dist/tests/api/env-example.test.js. */
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('.env.example', () => {
  it('shows the defaults: starting with it is starting without it', () => {
    expect(readConfig(parseEnv(read('.env.example')))).toEqual(readConfig({}));
  });

  it('names every setting that the server reads', () => {
    const settings = [...read('server/platform/settings.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(
      (match) => match[1],
    );
    expect(settings.length).toBeGreaterThan(15);
    const shown = Object.keys(parseEnv(read('.env.example')));
    expect(settings.filter((name) => name !== 'NODE_ENV' && !shown.includes(name ?? ''))).toEqual([]);
  });
});
