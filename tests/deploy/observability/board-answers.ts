import { type DrawnBoard, type DrawnPanel, sent, type Target, type Variables } from './drawn-panels.ts';
import type { PrometheusServer, Series } from './prometheus-server.ts';

/** A series as Prometheus answers it: over time, or of one point of time. */
export interface Answer {
  readonly metric: Readonly<Record<string, string>>;
  readonly values?: Series['values'];
  readonly value?: Series['values'][number];
}

/** What a board shows: a time, and the services of a namespace. Times are Unix seconds. */
export interface Shown extends Pick<Variables, 'namespace' | 'rateInterval'> {
  readonly from: number;
  readonly to: number;
  readonly stepSeconds: number;
}

/** A board with what Prometheus answered to it. */
export interface Drawing extends Shown {
  readonly board: DrawnBoard;
  /** By id of the panel, of each of its queries. */
  readonly answers: Readonly<Record<number, readonly (readonly Answer[])[]>>;
  /** Points of time that the board's annotations mark, with their colours. */
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly at: number;
  readonly color: string;
}

/** Asks all that a board asks, as Grafana would. */
export async function askBoard(prometheus: PrometheusServer, board: DrawnBoard, shown: Shown): Promise<Drawing> {
  const answers: Record<number, readonly (readonly Answer[])[]> = {};
  for (const panel of board.panels) answers[panel.id] = await askPanel(prometheus, panel, shown);
  const marks = await Promise.all(board.annotations.map((annotation) => marksOf(prometheus, annotation, shown)));
  return { ...shown, board, answers, marks: marks.flat() };
}

/** Asks all that a panel asks. */
export function askPanel(
  prometheus: PrometheusServer,
  panel: DrawnPanel,
  shown: Shown,
): Promise<(readonly Answer[])[]> {
  return Promise.all(panel.targets.map((target) => ask(prometheus, target, shown)));
}

/** A query as Grafana would send it. */
export function queryOf(expr: string, shown: Shown): string {
  const { from, to, stepSeconds } = shown;
  return sent(expr, { ...shown, range: `${Math.ceil(to - from)}s`, interval: `${stepSeconds}s` });
}

function ask(prometheus: PrometheusServer, { expr, instant }: Pick<Target, 'expr' | 'instant'>, shown: Shown) {
  const { from, to, stepSeconds } = shown;
  const query = queryOf(expr, shown);
  return instant ? prometheus.query(query, to) : prometheus.queryRange(query, from, to, stepSeconds);
}

/** Where an annotation's series begin; or at their values, where those are points of time. */
async function marksOf(
  prometheus: PrometheusServer,
  { expr, iconColor: color, useValueForTime }: DrawnBoard['annotations'][number],
  shown: Shown,
): Promise<Mark[]> {
  const series = await ask(prometheus, { expr }, shown);
  const times = series.flatMap(({ values = [] }: Answer) =>
    useValueForTime
      ? values.map(([, milliseconds]) => Number(milliseconds) / 1000)
      : values.filter(([at], index) => at - (values[index - 1]?.[0] ?? 0) > shown.stepSeconds).map(([at]) => at),
  );
  const inView = times.filter((at) => at >= shown.from && at <= shown.to);
  return [...new Set(inView)].map((at) => ({ at, color }));
}
