/** The licences of everything that is handed out: the server's libraries, and those within the built client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CLIENT_LIBRARIES } from './client-libraries.ts';
import type { Lock, LockedPackage } from './packed.ts';

/** This file runs as dist/tests/deploy/licences.test.js. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Licences that ask for nothing but to be handed on. */
const ALLOWED = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', '0BSD'];
const EXCEPTIONS: Record<string, string> = {
  // Holds for the files of the library alone, which are used unchanged.
  'web-push': 'MPL-2.0',
  // A typeface: its licence asks that it is not sold by itself.
  '@fontsource-variable/inter': 'OFL-1.1',
};

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
const installed = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** `MIT OR WTFPL` leaves the choice to us. */
function isAllowed([path, { license = 'none' }]: [string, LockedPackage]): boolean {
  const choices = license.replace(/[()]/g, '').split(' OR ');
  return choices.some((one) => ALLOWED.includes(one)) || EXCEPTIONS[nameOf(path)] === license;
}

const refused = (packages: [string, LockedPackage][]) =>
  packages.filter((one) => !isAllowed(one)).map(([path, { license }]) => `${nameOf(path)}: ${license}`);

describe('every licence is one of those that we accept', () => {
  test('of the libraries of the server, and of theirs', () => {
    const ofServer = installed.filter(([, { dev, link }]) => !dev && !link);
    expect(ofServer.length).toBeGreaterThan(100);
    expect(refused(ofServer)).toEqual([]);
  });

  test('of the libraries in the built client', () => {
    const ofClient = installed.filter(([path]) => CLIENT_LIBRARIES.includes(nameOf(path)));
    expect(ofClient.map(([path]) => nameOf(path)).sort()).toEqual(CLIENT_LIBRARIES.toSorted());
    expect(refused(ofClient)).toEqual([]);
  });

  test('a licence that nobody has accepted is refused', () => {
    const strange: [string, LockedPackage][] = [
      ['node_modules/a', { license: 'GPL-3.0-only' }],
      ['node_modules/b', {}],
      ['node_modules/c', { license: 'MPL-2.0' }],
      ['node_modules/d', { license: '(MIT OR GPL-3.0-only)' }],
    ];
    expect(refused(strange)).toEqual(['a: GPL-3.0-only', 'b: undefined', 'c: MPL-2.0']);
  });
});
