/** Highlights code away from the page: some texts take a regular expression a long time, and the page must not wait. */
import type { HighlightRequest, WorkerMessage } from './highlight-queue.ts';
import { highlight } from './highlighter.ts';

self.addEventListener('message', ({ data: { code, language } }: MessageEvent<HighlightRequest>) => {
  tell({ kind: 'done', pieces: highlight(code, language) });
});
tell({ kind: 'ready' });

function tell(message: WorkerMessage): void {
  self.postMessage(message);
}
