/** One series of a metric: its labels as text, and its value. */
export interface Reading {
  readonly labels: string;
  readonly value: number;
}

/** A separate connection each: the service may close an idle one just when it is reused. */
const CONNECTION = { headers: { connection: 'close' } };

/**
 * Every series of a process's metric.
 * @param ops base address of its operators' port
 * @throws Error for an unknown metric, so that a misspelt name is not 0
 */
export async function seriesOf(ops: string, metric: string): Promise<Reading[]> {
  const page = await (await fetch(`${ops}/metrics`, CONNECTION)).text();
  if (!page.includes(`# TYPE ${metric} `)) throw new Error(`${ops} has no metric ${metric}`);
  const lines = page.matchAll(new RegExp(`^${metric}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'));
  return [...lines].map(([, labels = '', value]) => ({ labels, value: Number(value) }));
}

/** Sum of all series of a process's metric. */
export async function readingOf(ops: string, metric: string): Promise<number> {
  return (await seriesOf(ops, metric)).reduce((sum, { value }) => sum + value, 0);
}
