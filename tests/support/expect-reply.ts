/** What every answer must look like, said once. Plain assertions: the bench and the fault runs use them too. */
import assert from 'node:assert/strict';
import type { ZodObject, z } from 'zod';
import type { HttpReply } from './http.ts';

/** The answer is a success with exactly the fields of `schema`, which it returns typed. */
export function expectAnswer<S extends ZodObject>(reply: HttpReply, status: number, schema: S): z.infer<S> {
  assert.deepEqual({ status: reply.status, body: reply.text }, { status, body: reply.text });
  assert.match(reply.headers['content-type'] ?? '', /^application\/json\b/);
  return schema.strict().parse(reply.json) as z.infer<S>;
}

/** The answer is a refusal: this status, and a JSON body of exactly one key with this message. */
export function expectRefusal(reply: HttpReply, status: number, message: string): void {
  assert.deepEqual(
    { status: reply.status, body: reply.json ?? reply.text },
    { status, body: { error: message } },
  );
  assert.match(reply.headers['content-type'] ?? '', /^application\/json\b/);
}

/** `Retry-After` is there, in whole seconds, and says at least one. */
export function expectRetryAfter(reply: HttpReply): void {
  assert.match(reply.headers['retry-after'] ?? '', /^[1-9][0-9]*$/);
}
