import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DotEnvError, parseDotEnv, readDotEnv } from './dot-env.ts';

describe('a line that is no assignment is refused with its number, not skipped', () => {
  it.each([
    ['HOST: 127.0.0.1', 1],
    ['PORT=8080\nHOST 127.0.0.1', 2],
    ['# comment\n\nHOST', 3],
    ['=8080', 1],
    ['A B=1', 1],
    ['1A=2', 1],
    ['"A"=2', 1],
    ["A='it''s'\nB=1", 1],
    ['A="x" junk', 1],
    ['A=1\nB="not closed\nC=3', 2],
    ['A="first\nsecond" junk', 2],
  ])('%j: line %i', (text, line) => {
    expect(() => parseDotEnv(text)).toThrow(DotEnvError);
    expect(() => parseDotEnv(text)).toThrow(`.env line ${line} `);
  });

  it('the message holds nothing of the line: it may be a secret', () => {
    expect(() => parseDotEnv('JWT_SECRET: 3f9a')).not.toThrow(/3f9a/);
  });
});

describe('what a .env file may hold', () => {
  it.each([
    ['', {}],
    ['# A=1\n\n  # B=2\n', {}],
    ['A=1\nB=2', { A: '1', B: '2' }],
    ['A=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['A=1\rB=2', { A: '1', B: '2' }],
    ['  A = 1 ', { A: '1' }],
    ['export A=1\nexport  B=2', { A: '1', B: '2' }],
    ['A=x # why', { A: 'x' }],
    ['A=\t/srv/chat\t# why', { A: '/srv/chat' }],
    ['A=\t# none\nB=1\t', { A: '', B: '1' }],
    ['A\t=\t"x"\t# why', { A: 'x' }],
    ['A="x # y" # why', { A: 'x # y' }],
    ["A='x'\nB=`y`", { A: 'x', B: 'y' }],
    ['A="x\ny"\nB=1', { A: 'x\ny', B: '1' }],
    ['A="x\n# y"\nB=1', { A: 'x\n# y', B: '1' }],
    ['A=\nB=""', { A: '', B: '' }],
    ['A==1', { A: '=1' }],
  ])('%j', (text, values) => {
    expect({ ...parseDotEnv(text) }).toEqual(values);
  });

  it('plain assignments read as they do in Node', () => {
    const name = fc.stringMatching(/^[A-Z][A-Z_]{0,9}$/);
    const value = fc.stringMatching(/^[a-z0-9./:,-]{0,20}$/);
    fc.assert(
      fc.property(fc.dictionary(name, value), (values) => {
        const text = Object.entries(values).map(([key, text]) => `${key}=${text}\n`);
        expect(parseDotEnv(text.join(''))).toEqual(parseEnv(text.join('')));
      }),
    );
  });
});

describe('the bytes of the file', () => {
  function read(bytes: Buffer): NodeJS.Dict<string> {
    const folder = mkdtempSync(join(tmpdir(), 'roomful-env-'));
    try {
      writeFileSync(join(folder, '.env'), bytes);
      return readDotEnv(join(folder, '.env'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it('a byte order mark is no part of the first name', () => {
    expect({ ...read(Buffer.from('\ufeffA=1\nB=2')) }).toEqual({ A: '1', B: '2' });
  });

  it('what is not UTF-8 is refused', () => {
    expect(() => read(Buffer.from('\ufeffA=1\n', 'utf16le'))).toThrow('Save it as UTF-8');
    expect(() => read(Buffer.from([0x41, 0x3d, 0xe9, 0x0a]))).toThrow('Save it as UTF-8');
  });

  it('a file that is not there sets nothing', () => {
    expect(readDotEnv(join(tmpdir(), 'no-such-folder', '.env'))).toEqual({});
  });
});
