/** What the doctor finds out: each check has a name, a verdict, and what to do next. */

export type Verdict = 'ok' | 'warning' | 'problem';

export interface Check {
  name: string;
  verdict: Verdict;
  /** One sentence; what is wrong says what to do. */
  told: string;
}

export const ok = (name: string, told: string): Check => ({ name, verdict: 'ok', told });
export const warning = (name: string, told: string): Check => ({ name, verdict: 'warning', told });
export const problem = (name: string, told: string): Check => ({ name, verdict: 'problem', told });

/** A message for people, of whatever was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
