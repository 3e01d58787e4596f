/** What a worker does for its primary process. */
import type { App } from '../app.ts';
import { type ToWorker, tellPrimary } from './messages.ts';

/** Reports to the primary process that this worker is ready, and carries out its orders. */
export function obeyPrimary(app: App, onFatal: (error: Error) => void): void {
  process.on('message', (order: ToWorker) => {
    if (order === 'accept no more') app.acceptNoMore();
    else if (order === 'hand over') app.stop({ isHandedOver: true }).then(() => process.exit(0), onFatal);
    else if (order.type === 'tell metrics') void tellMetrics(app, order);
  });
  const { address, setupCode } = app;
  tellPrimary({ address, setupCode });
}

/** A worker that cannot tell is counted as silent. */
async function tellMetrics(app: App, { id, worker }: { id: number; worker: number }): Promise<void> {
  const text = await app.renderMetrics(worker).catch(() => undefined);
  if (text !== undefined) tellPrimary({ type: 'metrics', id, text });
}
