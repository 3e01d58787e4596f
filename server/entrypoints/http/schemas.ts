/** Zod schemas on routes: requests are parsed with them, and responses are checked and written with them. */
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { ZodType } from 'zod';
import { AppError } from '../../../protocol/errors.ts';
import type { ErrorOfIssue } from '../../../protocol/rest/fields.ts';

/**
 * Refuses with the error code that the first issue carries (see protocol/rest/fields.ts), or with `invalid_payload`.
 */
export const validatorCompiler: FastifySchemaCompiler<ZodType> =
  ({ schema }) =>
  (data) => {
    const { success, data: value, error } = schema.safeParse(data);
    if (success) return { value };
    const [issue] = error.issues;
    const params: Partial<ErrorOfIssue> | undefined = issue?.code === 'custom' ? issue.params : undefined;
    return { error: new AppError(params?.errorCode ?? 'invalid_payload', { cause: error }) };
  };

/** Drops every field that the schema does not name; throws ZodError when one that it names is missing or wrong. */
export const serializerCompiler: FastifySerializerCompiler<ZodType> =
  ({ schema }) =>
  (data) =>
    JSON.stringify(schema.parse(data));
