/** Loaded with the first code that names its language. */
import { scriptPolicy } from '../updates/script-policy.ts';
import { HighlightQueue, type HighlightWorker } from './highlight-queue.ts';
import workerUrl from './highlight-worker.ts?worker&url';

export const highlightQueue = new HighlightQueue(
  () => new Worker(scriptPolicy.createScriptURL(workerUrl), { type: 'module' }) as HighlightWorker,
);
