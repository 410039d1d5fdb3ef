/** One series of a metric: its labels as they are written, and its value. */
export interface Reading {
  readonly labels: string;
  readonly value: number;
}

/** Of its own: one that was idle may be closed by the service just when it is used again. */
const CONNECTION = { headers: { connection: 'close' } };

/**
 * Every series that a process shows of a metric.
 * @param ops base address of its operators' port
 * @throws Error where it has no such metric, so that a name written wrongly is no 0
 */
export async function seriesOf(ops: string, metric: string): Promise<Reading[]> {
  const page = await (await fetch(`${ops}/metrics`, CONNECTION)).text();
  if (!page.includes(`# TYPE ${metric} `)) throw new Error(`${ops} has no metric ${metric}`);
  const lines = page.matchAll(new RegExp(`^${metric}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'));
  return [...lines].map(([, labels = '', value]) => ({ labels, value: Number(value) }));
}

/** What a process says of a metric, all its series together. */
export async function readingOf(ops: string, metric: string): Promise<number> {
  return (await seriesOf(ops, metric)).reduce((sum, { value }) => sum + value, 0);
}
