/** Fields of requests and responses under `/api/v1`. Times are RFC 3339, UTC, milliseconds. */
import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { MAX_ID } from '../limits.ts';
import { parseId } from '../text.ts';

/** A string that `normalize` accepts, in its normal form. */
export function textOf(normalize: (raw: string) => string | null) {
  return z.string().transform((raw, context) => {
    const text = normalize(raw);
    if (text !== null) return text;
    context.addIssue({ code: 'custom', message: 'not allowed' });
    return z.NEVER;
  });
}

/** Any credential that a user may type. One that breaks the registration rules is wrong, not malformed. */
export const typedText = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));

/** An issue's message and params; the params carry the error code of the response (`ErrorOfIssue`). */
export function refusedWith(errorCode: ErrorCode) {
  return { message: errorCode, params: { errorCode } satisfies ErrorOfIssue };
}

export interface ErrorOfIssue {
  errorCode: ErrorCode;
}

/** An optional query parameter: an integer in plain digits, given at most once. */
export function queryInteger(code: ErrorCode, max: number) {
  const parameter = z.unknown().optional().meta({ type: 'integer', minimum: 1, maximum: max });
  return parameter.transform((raw, context) => {
    if (raw === undefined) return undefined;
    const value = typeof raw === 'string' ? parseId(raw) : null;
    if (value !== null && value <= max) return value;
    context.addIssue({ code: 'custom', ...refusedWith(code) });
    return z.NEVER;
  });
}

const anyTime = z.iso.datetime({ offset: true });

/** An optional query parameter: a time of RFC 3339 with a zone, given at most once. Unix milliseconds. */
export function queryTime(code: ErrorCode) {
  const parameter = z.unknown().optional().meta({ type: 'string', format: 'date-time' });
  return parameter.transform((raw, context) => {
    if (raw === undefined) return undefined;
    const { success, data } = anyTime.safeParse(raw);
    const at = success ? Date.parse(data) : Number.NaN;
    if (Number.isFinite(at)) return at;
    context.addIssue({ code: 'custom', ...refusedWith(code) });
    return z.NEVER;
  });
}

/** The last row of the page before, where rows are in the order of a time: its id and its time, both or none. */
export const queryAfter = z
  .object({ before_id: queryInteger('invalid_before_id', MAX_ID), before_time: queryTime('bad_request') })
  .refine(
    ({ before_id, before_time }) => (before_id === undefined) === (before_time === undefined),
    refusedWith('bad_request'),
  );

/** An optional query parameter with text to search for. */
export const querySearch = z.string().max(512).optional();
