import { MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';

/** Every series that a maker shows of a metric. @throws Error where it has no such metric, so that a name written wrongly is no 0 */
export async function seriesOf(maker: INestMicroservice, name: string) {
  const metric = maker.get(MetricsRegistry, { strict: false }).getSingleMetric(name);
  if (!metric) throw new Error(`there is no metric ${name}`);
  return (await metric.get()).values;
}
