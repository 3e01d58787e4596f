import { ApiError } from '../../../client/index.ts';
import type { Catalogue } from './en.ts';

/** What happened and what to do, for a failure that belongs to no field. */
export function explain(text: Catalogue, error: unknown): string {
  if (!(error instanceof ApiError)) return text.errors.other;
  if (error.status === 0) return text.errors.unreachable;
  if (error.status === 429) return text.errors.tooMany;
  return error.status >= 500 ? text.errors.server : text.errors.other;
}
