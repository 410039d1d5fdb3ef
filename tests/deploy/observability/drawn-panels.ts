import { render } from '../../../tools/dashboards/board.ts';
import { BOARDS } from '../../../tools/dashboards/boards.ts';

/** A query of a panel, as Grafana reads it. */
export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  /** Queries only the end of the time range. */
  readonly instant?: boolean;
  readonly format?: 'table' | 'heatmap';
}

/** A panel as Grafana reads it, without rows. */
export interface DrawnPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly links?: readonly { readonly url: string }[];
  readonly fieldConfig: {
    /** Links of columns. */
    readonly overrides: readonly {
      readonly matcher: { readonly options: string };
      readonly properties: readonly { readonly value: readonly { readonly url: string }[] }[];
    }[];
    readonly defaults: {
      readonly noValue: string;
      readonly mappings?: readonly object[];
      readonly thresholds?: { readonly steps: readonly { readonly color: string; readonly value: number | null }[] };
    };
  };
  readonly options: { readonly legend?: { readonly displayMode: string; readonly showLegend: boolean } };
  readonly targets: readonly Target[];
}

/** A board as Grafana reads it, with its name in tests. */
export interface DrawnBoard {
  readonly uid: string;
  readonly title: string;
  /** Name of its file in the chart and of its pictures. */
  readonly name: string;
  readonly json: object;
  readonly panels: readonly DrawnPanel[];
  readonly annotations: readonly {
    readonly expr: string;
    readonly iconColor: string;
    readonly useValueForTime?: string;
  }[];
}

/** Every board, as Grafana reads it. */
export const DRAWN_BOARDS: readonly DrawnBoard[] = BOARDS.map((board) => {
  const json = render(board) as { panels: DrawnPanel[]; annotations: { list: DrawnBoard['annotations'] } };
  return {
    uid: board.uid,
    title: board.title,
    name: board.uid.replace(/^maker-/, ''),
    json,
    panels: json.panels.filter(({ type }) => type !== 'row'),
    annotations: json.annotations.list,
  };
});

/** Values of Grafana's variables. */
export interface Variables {
  /** Pattern of the chosen namespaces. */
  readonly namespace: string;
  /** As Prometheus writes durations. */
  readonly rateInterval: string;
  readonly range: string;
  /** Interval between two points of a line. */
  readonly interval: string;
}

/** A query as Prometheus receives it, for all services. */
export function sent(expr: string, { namespace, rateInterval, range, interval }: Variables): string {
  return expr
    .replaceAll('$__rate_interval', rateInterval)
    .replaceAll('$__range', range)
    .replaceAll('$__interval', interval)
    .replaceAll('$namespace', namespace)
    .replaceAll(/\$(job|instance)/g, '.*');
}
