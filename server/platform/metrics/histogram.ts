/** How figures spread. An observation compares a few numbers and adds two, so that hot paths can afford it. */
import type { Metric } from 'prom-client';

/** Upper bounds in seconds, from a fast disk to one that hangs. */
export const COMMIT_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
export const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
export const TURN_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5];
export const REQUEST_BOUNDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const DELAY_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export class Histogram {
  readonly bounds: readonly number[];
  /** By bucket: the figures above the bound before it, and not above its own. The last one has no bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += value;
  }

  /** In the form of Prometheus: each bucket counts all figures up to its bound. */
  values(name: string, labels: Readonly<Record<string, string>> = {}) {
    let count = 0;
    const buckets = Array.from(this.#counts, (inBucket, index) => {
      count += inBucket;
      const le = this.bounds[index] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

/** Histograms as one metric of prom-client, whose own histogram takes many times as long for an observation. */
export function histogramMetric(
  name: string,
  help: string,
  all: () => Iterable<[labels: Readonly<Record<string, string>>, Histogram]>,
): Metric {
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...all()].flatMap(([labels, histogram]) => histogram.values(name, labels)),
  });
  return { name, get } as unknown as Metric;
}
