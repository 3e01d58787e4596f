/** What every response must look like. The assertions are Node's, because the bench and the fault runs use them too. */
import assert from 'node:assert/strict';
import type { ZodObject, z } from 'zod';
import type { HttpReply } from './http.ts';

/** Asserts a success with exactly the fields of `schema`, and returns the typed body. */
export function expectReply<S extends ZodObject>(reply: HttpReply, status: number, schema: S): z.infer<S> {
  assert.deepEqual({ status: reply.status, body: reply.text }, { status, body: reply.text });
  assert.match(reply.headers['content-type'] ?? '', /^application\/json\b/);
  return schema.strict().parse(reply.json) as z.infer<S>;
}

/** Asserts a refusal: this status, and a JSON body of exactly one key with this message. */
export function expectRefusal(reply: HttpReply, status: number, message: string): void {
  assert.deepEqual(
    { status: reply.status, body: reply.json ?? reply.text },
    { status, body: { error: message } },
  );
  assert.match(reply.headers['content-type'] ?? '', /^application\/json\b/);
}

/** Asserts that `Retry-After` is there, in whole seconds, and at least one. */
export function expectRetryAfter(reply: HttpReply): void {
  assert.match(reply.headers['retry-after'] ?? '', /^[1-9][0-9]*$/);
}
