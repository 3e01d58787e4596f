import type { Steps } from './steps.ts';

/** Stands for an operation that no query exists for yet. */
export function notBuilt(): Steps<never> {
  throw new Error('not built yet');
}
