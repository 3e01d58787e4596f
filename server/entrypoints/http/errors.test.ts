import { expect, test } from 'vitest';
import { toAppError } from './errors.ts';

test.each(['EMFILE', 'ENFILE'])('%s is 503 with Retry-After: the client may try again', (code) => {
  const error = Object.assign(new Error('too many open files'), { code });
  expect(toAppError(error)).toMatchObject({ code: 'service_unavailable', retryAfterMs: 1000, cause: error });
});

test('an unexpected error is a 500 that says nothing about it', () => {
  expect(toAppError(new Error('secret'))).toMatchObject({
    code: 'internal_error',
    message: 'internal error',
  });
});
