/** Short ways to register metrics whose values are read at each scrape. Their names begin with `roomful_`. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { type Histogram, histogramMetric } from '../../platform/metrics/histogram.ts';

type Labels = Readonly<Record<string, string>>;
type Series = Iterable<[labels: Labels, value: number]>;

export interface Kit {
  counter(name: string, help: string, value: () => number): void;
  /** Undefined is shown as NaN. */
  gauge(name: string, help: string, value: () => number | undefined): void;
  /** One line for each set of labels; their number must have a bound. */
  counters(name: string, help: string, labelNames: readonly string[], series: () => Series): void;
  gauges(name: string, help: string, labelNames: readonly string[], series: () => Series): void;
  histogram(name: string, help: string, one: Histogram): void;
  histograms(name: string, help: string, all: () => Iterable<[Labels, Histogram]>): void;
}

export function createKit(registry: Registry): Kit {
  const registers = [registry];
  const kit: Kit = {
    counter: (name, help, value) => kit.counters(name, help, [], () => [[{}, value()]]),
    gauge: (name, help, value) => kit.gauges(name, help, [], () => [[{}, value() ?? Number.NaN]]),
    counters(name, help, labelNames, series) {
      new Counter({
        name: `roomful_${name}`,
        help,
        registers,
        labelNames,
        collect() {
          this.reset();
          for (const [labels, value] of series()) this.inc(labels, value);
        },
      });
    },
    gauges(name, help, labelNames, series) {
      new Gauge({
        name: `roomful_${name}`,
        help,
        registers,
        labelNames,
        collect() {
          for (const [labels, value] of series()) this.set(labels, value);
        },
      });
    },
    histogram: (name, help, one) => kit.histograms(name, help, () => [[{}, one]]),
    histograms: (name, help, all) => registry.registerMetric(histogramMetric(`roomful_${name}`, help, all)),
  };
  return kit;
}
