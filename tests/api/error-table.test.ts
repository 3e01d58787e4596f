import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../protocol/errors.ts';

/** This file runs as dist/tests/api/error-table.test.js. */
const PROTOCOL = readFileSync(new URL('../../../docs/PROTOCOL.md', import.meta.url), 'utf8');

/** The rows of the table under "## Errors", as cells without their code marks. */
function documentedRows(): string[][] {
  const section = PROTOCOL.slice(PROTOCOL.indexOf('\n## Errors\n'));
  const [header, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  expect(header).toBe('| Code | Status | Message | Retryable |');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('docs/PROTOCOL.md', () => {
  it('lists every error of protocol/errors.ts, in its order, and no other', () => {
    const inCode = Object.entries(ERRORS).map(([code, { status, message, retryable }]) => [
      code,
      String(status),
      message,
      retryable ? 'yes' : 'no',
    ]);
    expect(documentedRows()).toEqual(inCode);
  });

  it('names in its tables only messages that exist', () => {
    const messages = new Set<string>(Object.values(ERRORS).map(({ message }) => message));
    const beforeErrors = PROTOCOL.slice(0, PROTOCOL.indexOf('\n## Errors\n'));
    const named = [...beforeErrors.matchAll(/\b[45]\d\d((?: `[a-z][a-z _]*`,?)+)/g)].flatMap((match) =>
      [...(match[1] ?? '').matchAll(/`([^`]+)`/g)].map((quoted) => quoted[1] ?? ''),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((message) => !messages.has(message))).toEqual([]);
  });
});
