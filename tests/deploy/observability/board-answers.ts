import { type DrawnBoard, type DrawnPanel, sent, type Target, type Variables } from './drawn-panels.ts';
import type { PrometheusServer, Series } from './prometheus-server.ts';

/** A series in Prometheus' answer: over time, or at one time. */
export interface Answer {
  readonly metric: Readonly<Record<string, string>>;
  readonly values?: Series['values'];
  readonly value?: Series['values'][number];
}

/** Variables of a board: a time range, and the services of a namespace. Times are Unix seconds. */
export interface Shown extends Pick<Variables, 'namespace' | 'rateInterval'> {
  readonly from: number;
  readonly to: number;
  readonly stepSeconds: number;
}

/** A board with Prometheus' answers. */
export interface Drawing extends Shown {
  readonly board: DrawnBoard;
  /** Answers to each query, by id of the panel. */
  readonly answers: Readonly<Record<number, readonly (readonly Answer[])[]>>;
  /** Times that the board's annotations mark, with their colours. */
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly at: number;
  readonly color: string;
}

/** Sends all queries of a board, as Grafana would. */
export async function askBoard(prometheus: PrometheusServer, board: DrawnBoard, shown: Shown): Promise<Drawing> {
  const answers: Record<number, readonly (readonly Answer[])[]> = {};
  for (const panel of board.panels) answers[panel.id] = await askPanel(prometheus, panel, shown);
  const marks = await Promise.all(board.annotations.map((annotation) => marksOf(prometheus, annotation, shown)));
  return { ...shown, board, answers, marks: marks.flat() };
}

/** Sends all queries of a panel. */
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

/** Starts of an annotation's series; or their values, if those are times. */
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
