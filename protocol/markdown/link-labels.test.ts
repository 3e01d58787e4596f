import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dottedNames, hostBehind, pretendsAnotherHost } from './link-labels.ts';

test('a label that shows the address of one host never leads to another', () => {
  expect(pretendsAnotherHost('https://bank.example', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('www.bank.example/login', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('**https://bank.example**', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('~~`https://bank.example`~~', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('see https://bank.example', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('\u200bhttps://bank.example', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('https://https://bank.example', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('https://www.bank.example', 'https://bank.example/login')).toBe(false);
  expect(pretendsAnotherHost('https://bank.example', 'https://bank.example/login')).toBe(false);
  expect(pretendsAnotherHost('the bank', 'https://bank.example')).toBe(false);
});

describe('a label that names another host is followed by the real host', () => {
  test.each([
    ['bank.example', 'https://evil.example'],
    ['**Bank.Example**', 'https://evil.example'],
    ['bank**.**example', 'https://evil.example'],
    ['log in at bank.example/login', 'https://evil.example'],
    ['bank.example-login', 'https://evil.example'],
    ['bank\u200b.example', 'https://evil.example'],
    ['ｂａｎｋ．ｅｘａｍｐｌｅ', 'https://evil.example'],
    ['bank。example', 'https://evil.example'],
    ['банк。рф', 'https://evil.example'],
    ['банк.рф', 'https://evil.example'],
    ['xn--80ab2al.xn--p1ai', 'https://evil.example'],
    ['163.com', 'https://evil.example'],
    ['中国.公司', 'https://evil.example'],
    ['bank.example...', 'https://evil.example'],
    ['ann@bank.example', 'mailto:ann@evil.example'],
    ['ann@bank.example', 'https://evil.example'],
    ['https://evil.example of bank.example', 'https://evil.example'],
    ['evil.example of bank.example', 'https://evil.example'],
  ])('[%s](%s)', (label, destination) => expect(hostBehind(label, destination)).toBe('evil.example'));

  test('in full, even when the name is a part of it', () => {
    expect(hostBehind('bank.example', 'https://bank.example.evil.example')).toBe('bank.example.evil.example');
    expect(hostBehind('bank.example', 'https://b\u0430nk.example')).toBe('xn--bnk-6cd.example');
  });
});

describe('a label that only looks like a host stays a link, too', () => {
  test.each([
    'Array.prototype.map',
    'client.send()',
    'ASP.NET docs',
    'go.mod',
    'archive.tar.gz',
    'Dockerfile.dev',
    'main.swift',
    'a.php',
    'Fixed it.Thanks',
  ])('[%s](https://code.example)', (label) => {
    expect(pretendsAnotherHost(label, 'https://code.example')).toBe(false);
    expect(hostBehind(label, 'https://code.example')).toBe('code.example');
  });
});

describe('nothing follows a label without a host, or with the right one', () => {
  test.each([
    ['bank.example', 'https://bank.example/login'],
    ['Bank.example', 'https://www.bank.example'],
    ['ann@bank.example', 'mailto:ann@Bank.example?subject=hello'],
    ['https://bank.example/index.html', 'https://bank.example/index.html'],
    ['https://bank.example/a.b.example', 'https://bank.example/a.b.example'],
    ['parse.ts', 'https://code.example/parse.ts'],
    ['Node.js', 'https://node.example'],
    ['README.md', 'https://code.example/readme'],
    ['version 2.4', 'https://a.example'],
    ['v1.2.3', 'https://a.example'],
    ['e.g. this', 'https://a.example'],
    ['wait...what', 'https://a.example'],
    ['.gitignore', 'https://a.example'],
    ['1.概述', 'https://a.example'],
    ['好的。谢谢', 'https://a.example'],
    ['the bank', 'https://a.example'],
  ])('[%s](%s)', (label, destination) => expect(hostBehind(label, destination)).toBeNull());
});

describe('the search for names is linear in the length of the label', () => {
  function stepsFor(label: string): number {
    let steps = 0;
    const counted = {
      *[Symbol.iterator]() {
        for (const character of label) {
          steps += 1;
          yield character;
        }
      },
    };
    const names = [...dottedNames(counted)];
    // Each name found is checked once more.
    return steps + names.reduce((total, name) => total + name.length, 0);
  }

  test.each(['a.', 'a', '.', 'a-', 'a..', 'ab.1.', 'ab.'])('of %j again and again', (piece) => {
    const [short, long] = [stepsFor(piece.repeat(1000)), stepsFor(piece.repeat(2000))];
    expect(long).toBeLessThanOrEqual(2 * short + 2);
  });

  test('and of any other', () => {
    const label = fc
      .array(fc.constantFrom('.', 'a', 'ab', '-', '_', '1', ' ', 'é', '。'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(label, (text) => {
        expect(stepsFor(text)).toBeLessThanOrEqual(2 * text.length);
      }),
    );
  });
});
