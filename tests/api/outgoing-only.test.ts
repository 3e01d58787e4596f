import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** This file runs as dist/tests/api/outgoing-only.test.js. */
const SERVER = fileURLToPath(new URL('../../../server', import.meta.url));
/** Everything with which a file could open a connection by itself. Types open none. */
const WAYS_OUT = [
  /^import (?!type\b).*'node:(https|http2|tls|dgram|dns|dns\/promises)'/m,
  /^import (?!type\b)[^;]*\b(?<!type )(request|get|Agent|ClientRequest|globalAgent)\b[^;]*from 'node:http'/m,
  /^import (?!type\b)[^;]*\b(?<!type )(connect|createConnection|Socket)\b[^;]*from 'node:net'/m,
  /\bfetch\(|new (WebSocket|EventSource)\(|\bsendNotification\(/,
  /from '(undici|axios|got|node-fetch|https-proxy-agent)'/,
  /import\('node:(http|https|http2|net|tls|dgram|dns|dns\/promises)'\)/,
];

function sourceFiles(): string[] {
  return readdirSync(SERVER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(SERVER, join(entry.parentPath, entry.name)))
    .filter((file) => !/\.(test|contract)\.ts$|(^|\/)(testing|contract)\//.test(file));
}

test('server/platform/outgoing/ alone opens connections to hosts that a stranger may have named', () => {
  const files = sourceFiles();
  const open = files.filter((file) => {
    const text = readFileSync(join(SERVER, file), 'utf8');
    return WAYS_OUT.some((way) => way.test(text));
  });
  expect(files.length).toBeGreaterThan(100);
  // The operator names their hosts.
  const ofFiles = ['data/blobs/s3/exchange.ts', 'features/files/clamd.ts'];
  // At the command line the operator names the hosts; the server loads none of it.
  const byOperator = [
    'process/cli/ask-operator.ts',
    'process/cli/doctor/this-machine.ts',
    'process/cli/doctor/through-url.ts',
    'process/cli/doctor/upload.ts',
  ];
  expect(open.sort()).toEqual([
    ...ofFiles,
    'platform/outgoing/exchange.ts',
    'platform/outgoing/resolve.ts',
    ...byOperator,
  ]);
});
