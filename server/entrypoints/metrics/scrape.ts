/** What a scrape gets: the metrics of this process, or those of all workers on its port. */
import type { MetricsSources } from './registry.ts';

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The text of this process's metrics; a worker's have its number in the label `worker`. */
export type RenderMetrics = (worker?: number) => Promise<string>;

/** The library is loaded by the first scrape. */
export function createRenderer(sources: MetricsSources): RenderMetrics {
  let registry: ReturnType<typeof load> | undefined;
  const load = async () => (await import('./registry.ts')).createRegistry(sources);
  return async (worker) => {
    registry ??= load();
    const loaded = await registry;
    if (worker !== undefined) loaded.setDefaultLabels({ worker: String(worker) });
    return await loaded.metrics();
  };
}

/** One text with the figures of all workers. A metric stands in it once, with a line for each worker. */
export function joinTexts(texts: readonly string[], silent: number): string {
  const metrics = new Map<string, string[]>();
  for (const block of texts.flatMap((text) => text.trimEnd().split('\n\n'))) {
    const [help = '', type = '', ...lines] = block.split('\n');
    const name = help.split(' ', 3)[2] ?? '';
    const known = metrics.get(name);
    if (known) for (const line of lines) known.push(line);
    else metrics.set(name, [help, type, ...lines]);
  }
  metrics.set('roomful_workers', [
    '# HELP roomful_workers Workers whose figures are in this scrape, and those that did not respond in time.',
    '# TYPE roomful_workers gauge',
    `roomful_workers{state="answered"} ${texts.length}`,
    `roomful_workers{state="silent"} ${silent}`,
  ]);
  return `${Array.from(metrics.values(), (lines) => lines.join('\n')).join('\n\n')}\n`;
}
