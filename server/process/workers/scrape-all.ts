/** A scrape that this worker answers for all workers. */
import { joinTexts } from '../../entrypoints/metrics/scrape.ts';
import { within } from '../../platform/deadline.ts';
import { type ToWorker, tellPrimary } from './messages.ts';

/** The primary process itself waits one second for the workers. */
const GATHERED_WITHIN_MS = 2000;

let lastId = 0;

/** The metrics of all workers. Rejects when the primary process does not respond. */
export async function scrapeAll(): Promise<string> {
  const id = ++lastId;
  let stop = () => {};
  const gathered = new Promise<string>((resolve) => {
    const listener = (message: ToWorker) => {
      if (typeof message === 'string' || message.type !== 'all metrics' || message.id !== id) return;
      resolve(joinTexts(message.texts, message.silent));
    };
    process.on('message', listener);
    stop = () => process.off('message', listener);
  });
  tellPrimary({ type: 'scrape', id });
  try {
    return await within(GATHERED_WITHIN_MS, gathered, 'the primary process does not respond');
  } finally {
    stop();
  }
}
