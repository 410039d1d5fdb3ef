/** A metric as a service exposes it. */
export interface ShownMetric {
  readonly type: string;
  readonly series: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>> }[];
}

/** Reads Prometheus' text format. */
export function parseExposition(text: string): ReadonlyMap<string, ShownMetric> {
  const metrics = new Map<string, { type: string; series: { name: string; labels: Record<string, string> }[] }>();
  let current = { type: '', series: [] as { name: string; labels: Record<string, string> }[] };
  for (const line of text.split('\n')) {
    const [, declared = '', type = ''] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (declared) {
      current = { type, series: [] };
      metrics.set(declared, current);
      continue;
    }
    const [, name = '', inner = ''] = /^(\w+)(?:\{(.*)\})? \S+/.exec(line) ?? [];
    if (!name) continue;
    const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', value = '']) => [
      label,
      value,
    ]);
    current.series.push({ name, labels: Object.fromEntries(labels) });
  }
  return metrics;
}

/** Number of our own series; Node's vary with its timers and sockets. */
export function countSeries(metrics: ReadonlyMap<string, ShownMetric>): number {
  const ours = [...metrics].filter(([name]) => name.startsWith('maker_'));
  return ours.reduce((sum, [, { series }]) => sum + series.length, 0);
}
