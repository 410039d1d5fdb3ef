/**
 * The part of Grafana's dashboard format that our boards use, and the layout of panels in rows. Omits the values that
 * Grafana adds on its own, so that a review shows the queries.
 */

type Colour = 'green' | 'orange' | 'red';

/** Thresholds of a colour, ascending: each colour applies from its value on; the first has no value. */
export type Thresholds = readonly { readonly color: Colour; readonly value: number | null }[];

/** A first colour, and others from given values on. */
export function colours(first: Colour, ...later: readonly (readonly [Colour, number])[]): Thresholds {
  return [{ color: first, value: null }, ...later.map(([color, value]) => ({ color, value }))];
}

/** One query of a panel. */
export interface Query {
  readonly expr: string;
  /** Legend with `{{label}}`; without one the panel's title is enough. */
  readonly legend?: string;
}

/** A link from a cell of a table; `${__value.text}` in the address is the text of the cell. */
interface RowLink {
  readonly column: string;
  readonly title: string;
  /** Path in the repository, such as 'docs/alerts.md'; the chart prepends the address. */
  readonly url: string;
}

/** One panel. Every one has a title, a description and a unit. */
interface Panel {
  readonly title: string;
  /** What the panel shows, which values are normal, and what to do otherwise. */
  readonly description: string;
  /** Grafana's unit id, such as 's', 'reqps', 'percentunit', or 'suffix: HYPE'. */
  readonly unit: string;
  readonly queries: readonly Query[];
  readonly kind: 'timeseries' | 'stat' | 'table' | 'bargauge' | 'heatmap';
  /** Columns of 24. Default: 8; 12 for lines in a row with grouped lines. */
  readonly width?: number;
  readonly height?: number;
  readonly decimals?: number;
  readonly min?: number;
  readonly max?: number;
  readonly thresholds?: Thresholds;
  /** Stacked areas, for parts of a whole. */
  readonly stacked?: boolean;
  /** Column to sort a table by. */
  readonly sortBy?: string;
  /** Link of a table's rows. */
  readonly rowLink?: RowLink;
  /** Connects lines over missing points: for a metric with gaps. */
  readonly joined?: boolean;
}

/**
 * A panel as a board's file declares it. Without a unit it shows a count. A query without a legend is only its expression, and
 * an object gives queries by their legends.
 */
export type PanelDraft = Omit<Panel, 'title' | 'unit' | 'kind' | 'queries'> & {
  readonly unit?: string;
  /** Default: time series. */
  readonly kind?: Panel['kind'];
  readonly queries: readonly (Query | string)[] | Readonly<Record<string, string>>;
};

/** Panels with a heading. */
interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const isList = (queries: PanelDraft['queries']): queries is readonly (Query | string)[] => Array.isArray(queries);

/** Panels with a heading, by their titles. */
export const row = (title: string, panels: Readonly<Record<string, PanelDraft>>): Row => rowOf({}, title, panels);

/** The same. @param common default settings of its panels */
export const rowOf = (
  common: Partial<PanelDraft>,
  title: string,
  panels: Readonly<Record<string, PanelDraft>>,
): Row => ({
  title,
  panels: Object.entries(panels).map(([name, panel]) => ({
    title: name,
    unit: 'none',
    kind: 'timeseries',
    ...common,
    ...panel,
    queries: isList(panel.queries)
      ? panel.queries.map((query) => (typeof query === 'string' ? { expr: query } : query))
      : Object.entries(panel.queries).map(([legend, expr]) => ({ expr, legend })),
  })),
});

/** A dashboard. */
export interface Board {
  /** At most 40 characters; file name, and id in Grafana's address. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

const COLUMNS = 24;
/** Number of lines that a panel's legend shows without scrolling. */
const MOST_LINES = 9;
const HAS_BUCKETS = /_bucket\{/;
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana replaces it
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** Label matchers that select the metrics of every panel. */
const CHOSEN = 'namespace=~"$namespace",job=~"$job",instance=~"$instance"';

/** A metric of the selected services. @param matchers further ones, such as 'status=~"5.."' */
export function of(name: string, matchers = ''): string {
  return `${name}{${CHOSEN}${matchers && `,${matchers}`}}`;
}

/**
 * Age in seconds: at least 0, since the chain's clock may be ahead; empty while a new process does not know the time yet.
 * @param name of a metric with Unix seconds
 */
export const ageOf = (name: string) => `clamp_min(time() - max(${of(name)} > 0), 0)`;

/** Increase per second. */
export const rate = (name: string, matchers = '') => `rate(${of(name, matchers)}[$__rate_interval])`;

/** Increase within the board's time range. */
export const increase = (name: string, matchers = '') => `increase(${of(name, matchers)}[$__range])`;

const legendOf = (labels: string) => labels.replaceAll(/\w+/g, '{{$&}}').replaceAll(',', '');

const by =
  (aggregation: 'sum' | 'max') =>
  (labels: string, metric: string, then = '') => ({
    expr: `${aggregation} by (${labels}) (${metric})${then}`,
    legend: legendOf(labels),
  });

/** Sums by labels, which name the lines. @param then appended to the sum, such as ' / 1e18' */
export const sumBy = by('sum');

/** Maxima by labels, see {@link sumBy}. */
export const maxBy = by('max');

const quantile = (share: number, histogram: string, labels: string) =>
  `histogram_quantile(${share}, sum by (${['le', ...(labels ? [labels] : [])].join(', ')}) (${rate(`${histogram}_bucket`)}))`;

/** The 95th percentile of a histogram, by labels. */
export const p95By = (labels: string, histogram: string): Query => ({
  expr: quantile(0.95, histogram, labels),
  legend: legendOf(labels),
});

/** Quantiles of a histogram, one line each, and for each value of a label if given. */
export const quantiles = (shares: readonly number[], histogram: string, label = ''): readonly Query[] =>
  shares.map((share) => ({
    expr: quantile(share, histogram, label),
    legend: `${label && `${legendOf(label)} `}p${share * 100}`,
  }));

/** Counts per bucket of a histogram, for a heatmap: it shows how many are slow, while a quantile shows how slow they are. */
export const buckets = (histogram: string, matchers = ''): Query => ({
  expr: `sum by (le) (increase(${of(`${histogram}_bucket`, matchers)}[$__rate_interval]))`,
  legend: '{{le}}',
});

/** The board in Grafana's format. */
export function render(board: Board): object {
  const panels: object[] = [];
  let id = 0;
  let top = 0;
  for (const { title, panels: content } of board.rows) {
    id += 1;
    panels.push({ id, type: 'row', title, collapsed: false, panels: [], gridPos: { x: 0, y: top, w: COLUMNS, h: 1 } });
    top += 1;
    let left = 0;
    let tallest = 0;
    // Grouped lines need room for their legend beside them, and the panels of a row have equal widths.
    const usual = content.some((panel) => isOfLines(panel) && panel.queries.some(isGrouped)) ? 12 : 8;
    for (const unsized of content) {
      const isAlone = unsized === content.at(-1) && (left === 0 || left + usual > COLUMNS);
      const panel = { width: isOfLines(unsized) ? (isAlone ? COLUMNS : usual) : 8, ...unsized };
      const { width, height = panel.kind === 'stat' ? 4 : 8 } = panel;
      if (left + width > COLUMNS) {
        left = 0;
        top += tallest;
        tallest = 0;
      }
      id += 1;
      panels.push(renderPanel(panel, id, { x: left, y: top, w: width, h: height }));
      left += width;
      tallest = Math.max(tallest, height);
    }
    top += tallest;
  }
  return {
    uid: board.uid,
    title: board.title,
    description: board.description,
    tags: ['hyperevm-maker-bot'],
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    schemaVersion: 39,
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    links: [
      {
        type: 'dashboards',
        title: 'Boards',
        tags: ['hyperevm-maker-bot'],
        asDropdown: true,
        includeVars: true,
        keepTime: true,
      },
    ],
    templating: { list: VARIABLES },
    annotations: { list: [ALERTS, STARTS] },
    panels,
  };
}

function renderPanel(panel: Panel, id: number, gridPos: object): object {
  const { kind, title, description, unit, decimals, min, max, thresholds } = panel;
  const isTable = kind === 'table';
  const links = runbooksOf(description);
  return {
    id,
    type: kind,
    title,
    description,
    ...(links.length > 0 ? { links } : {}),
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: {
      defaults: {
        ...{ unit, decimals: decimals ?? (unit === 'none' && !OVER_TIME.has(kind) ? 0 : undefined), min, max },
        noValue: hidesZero(panel) ? 'all 0, or no data' : 'no data',
        // A threshold would colour a missing value like the lowest one: green.
        mappings: kind === 'stat' && thresholds ? [NO_DATA_IS_RED] : undefined,
        thresholds: thresholds && { mode: 'absolute', steps: thresholds },
        // Grafana's default thresholds make every value above 80 red.
        color: thresholds || OVER_TIME.has(kind) ? undefined : { mode: 'fixed', fixedColor: PLAIN[kind] },
        custom: kind === 'timeseries' ? lineStyle(panel) : undefined,
      },
      overrides: panel.rowLink ? [linkOf(panel.rowLink)] : [],
    },
    options: optionsOf(panel),
    targets: panel.queries.map((query, index) => ({
      refId: refId(index),
      datasource: DATASOURCE,
      expr: shownOf(query, panel),
      legendFormat: query.legend ?? title,
      ...(OVER_TIME.has(kind) ? { range: true } : { instant: true, range: false }),
      ...(isTable ? { format: 'table' } : {}),
      ...(kind === 'heatmap' ? { format: 'heatmap' } : {}),
      // Points that link to traces.
      ...(HAS_BUCKETS.test(query.expr) && OVER_TIME.has(kind) ? { exemplar: true } : {}),
    })),
    ...(isTable ? { transformations: transformationsOf(panel) } : {}),
  };
}

/**
 * These query the board's whole time range. All others query only its end: otherwise the last value of a dead service's
 * series would stay green.
 */
const OVER_TIME: ReadonlySet<string> = new Set(['timeseries', 'heatmap']);

/** Colours of neutral values. */
const PLAIN: Readonly<Record<string, string>> = { stat: 'text', bargauge: 'blue', table: 'text' };

const NO_DATA_IS_RED = {
  type: 'special',
  options: { match: 'null+nan', result: { text: 'no data', color: 'red', index: 0 } },
};

const isOfLines = ({ kind }: Panel) => kind === 'timeseries';

const isGrouped = ({ legend }: Query) => legend?.includes('{{') ?? false;

/** Groups with value 0 are omitted from lines, bars and rows. */
const hidesZero = ({ kind, queries }: Panel) =>
  kind === 'table' || (kind !== 'stat' && kind !== 'heatmap' && queries.some(isGrouped));

/** The query for Grafana. Of groups: those that are not 0, and as many lines as a legend can show, the highest first. */
function shownOf(query: Query, panel: Panel): string {
  const { kind, queries } = panel;
  if (kind === 'table' || (kind === 'bargauge' && isGrouped(query))) return `(${query.expr}) != 0`;
  if (kind !== 'timeseries' || !isGrouped(query)) return query.expr;
  const grouped = queries.filter(isGrouped).length;
  const lines = Math.floor((MOST_LINES - (queries.length - grouped)) / grouped);
  // Selected once for the whole time range: topk alone selects again at each point and shows more lines than its limit.
  return `(${query.expr}) and topk(${lines}, abs(max_over_time((${query.expr})[$__range:$__interval] @ end())) > 0)`;
}

function lineStyle({ unit, stacked, joined = false, thresholds, max }: Panel): object {
  const highest = Math.max(...(thresholds ?? []).map(({ value }) => value ?? 0), FLAT_AXES[unit] ?? 0);
  return {
    lineWidth: 1,
    fillOpacity: stacked ? 30 : 5,
    // Shows a point without neighbours, which a line would not show.
    showPoints: 'auto',
    spanNulls: joined,
    axisSoftMin: 0,
    ...(highest > 0 && max === undefined ? { axisSoftMax: highest } : {}),
    ...(stacked ? { stacking: { mode: 'normal' } } : {}),
    ...(thresholds ? { thresholdsStyle: { mode: 'line' } } : {}),
  };
}

/** Smallest maximum of an axis, by unit: otherwise lines at 0 would have an axis to 100, which is 10000 %. */
const FLAT_AXES: Readonly<Record<string, number>> = { none: 1, percentunit: 0.01, s: 0.1, ops: 0.1, reqps: 0.1 };

/** Links to the runbooks that a panel's description names; the chart prepends the address. */
function runbooksOf(description: string): object[] {
  return [...description.matchAll(/[Rr]unbook ([a-z-]+)/g)].map(([, name]) => ({
    title: `Runbook: ${name}`,
    url: `docs/runbooks/${name}.md`,
    targetBlank: true,
  }));
}

const linkOf = ({ column, title, url }: RowLink) => ({
  matcher: { id: 'byName', options: column },
  properties: [{ id: 'links', value: [{ title, url, targetBlank: true }] }],
});

/** A single line needs no legend. Several have a table of their last and highest values, beside the lines if there is room. */
function legendOptions({ queries, width = 8 }: Panel): object {
  const isOne = queries.length === 1 && !queries.some(isGrouped);
  return isOne
    ? { displayMode: 'hidden', placement: 'bottom', showLegend: false, calcs: [] }
    : {
        displayMode: 'table',
        placement: width < 12 ? 'bottom' : 'right',
        showLegend: true,
        calcs: ['lastNotNull', 'max'],
        sortBy: 'Max',
        sortDesc: true,
      };
}

function optionsOf(panel: Panel): object {
  const { kind } = panel;
  const reduceOptions = { calcs: ['lastNotNull'], fields: '', values: false };
  if (kind === 'stat') return { reduceOptions, colorMode: 'value', graphMode: 'none', textMode: 'auto' };
  if (kind === 'bargauge') return { reduceOptions, displayMode: 'basic', orientation: 'horizontal', ...BARS };
  if (kind === 'table')
    return {
      showHeader: true,
      footer: { show: false },
      ...(panel.sortBy ? { sortBy: [{ displayName: panel.sortBy, desc: false }] } : {}),
    };
  if (kind === 'heatmap') return { ...HEATMAP, yAxis: { axisPlacement: 'left', unit: panel.unit } };
  return { legend: legendOptions(panel), tooltip: { mode: 'multi', sort: 'desc' } };
}

/** Sets the size of bars: Grafana's default scales the text with their height. */
const BARS = { sizing: 'manual', minVizHeight: 16, maxVizHeight: 28 };

/** The counted buckets stack up; an empty one stays blank. */
const HEATMAP = {
  calculate: false,
  cellGap: 1,
  color: { mode: 'scheme', scheme: 'Oranges', steps: 64 },
  exemplars: { color: 'rgba(255,0,255,0.7)' },
  filterValues: { le: 1e-9 },
  legend: { show: true },
  rowsFrame: { layout: 'auto' },
  tooltip: { mode: 'single', yHistogram: false },
};

/** Column names of a table: 'Value' for one query, 'Value #A' and so on for several. */
function transformationsOf({ queries }: Panel): object[] {
  const columns = queries.map(({ legend = 'Value' }, index) => [
    queries.length === 1 ? 'Value' : `Value #${refId(index)}`,
    legend,
  ]);
  const options = { excludeByName: { Time: true }, renameByName: Object.fromEntries(columns) };
  return [
    { id: 'merge', options: {} },
    { id: 'organize', options },
  ];
}

const refId = (index: number) => String.fromCharCode('A'.charCodeAt(0) + index);

function labelVariable(name: string, label: string, query: string): object {
  return {
    type: 'query',
    name,
    label,
    datasource: DATASOURCE,
    query: { query, refId: name },
    definition: query,
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  };
}

const VARIABLES = [
  { type: 'datasource', name: 'datasource', label: 'Data source', query: 'prometheus', refresh: 1, regex: '', hide: 0 },
  labelVariable('namespace', 'Namespace', 'label_values(maker_service_up, namespace)'),
  labelVariable('job', 'Job', 'label_values(maker_service_up{namespace=~"$namespace"}, job)'),
  labelVariable(
    'instance',
    'Instance',
    'label_values(maker_service_up{namespace=~"$namespace",job=~"$job"}, instance)',
  ),
];

const ALERTS = {
  name: 'Pages',
  datasource: DATASOURCE,
  enable: true,
  expr: 'ALERTS{alertname=~"Maker.+",alertstate="firing",severity="page"}',
  titleFormat: '{{alertname}}',
  iconColor: 'red',
  step: '60s',
};

/** A vertical line at the start of a process: a release or a restart. */
const STARTS = {
  name: 'Deploys and restarts',
  datasource: DATASOURCE,
  enable: true,
  expr: 'max by (job) (process_start_time_seconds{namespace=~"$namespace"} and on (namespace, job, instance) maker_service_up) * 1000',
  useValueForTime: 'on',
  titleFormat: '{{job}} started',
  iconColor: 'blue',
  step: '60s',
};
