import { MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';

/** Reads all series of a metric. @throws Error if there is no such metric, so that a misspelt name does not read as 0 */
export async function seriesOf(maker: INestMicroservice, name: string) {
  const metric = maker.get(MetricsRegistry, { strict: false }).getSingleMetric(name);
  if (!metric) throw new Error(`there is no metric ${name}`);
  return (await metric.get()).values;
}
