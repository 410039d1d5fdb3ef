import {
  applyFieldOverrides,
  cacheFieldDisplayNames,
  createDataFrame,
  type DataFrame,
  FieldColorModeId,
  type FieldConfig,
  FieldConfigOptionsRegistry,
  FieldType,
  type GrafanaTheme2,
  getDisplayProcessor,
  standardTransformers,
  standardTransformersRegistry,
  ThresholdsMode,
  transformDataFrame,
} from '@grafana/data';
import { firstValueFrom } from 'rxjs';

/** A series in Prometheus' answer: over time, or current. */
export interface Answer {
  readonly metric: Readonly<Record<string, string>>;
  readonly values?: readonly (readonly [number, string])[];
  readonly value?: readonly [number, string];
}

/** The rendered fields of a panel's JSON. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly links?: readonly { readonly title: string; readonly url: string }[];
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: FieldConfig; readonly overrides: readonly unknown[] };
  // biome-ignore lint/suspicious/noExplicitAny: each kind of panel has its own, which Grafana's components check
  readonly options: any;
  readonly targets: readonly { readonly refId: string; readonly legendFormat: string; readonly format?: string }[];
  readonly transformations?: readonly { readonly id: string; readonly options: object }[];
}

/** Grafana's default thresholds: above 80 a value is red. */
const DEFAULT_THRESHOLDS = [
  { value: Number.NEGATIVE_INFINITY, color: 'green' },
  { value: 80, color: 'red' },
];

const LINE = {
  drawStyle: 'line',
  lineInterpolation: 'linear',
  pointSize: 5,
  axisPlacement: 'auto',
  axisGridShow: true,
  scaleDistribution: { type: 'linear' },
};

/** The panel's field configuration with Grafana's defaults. */
export function configOf({ type, fieldConfig: { defaults } }: Panel): FieldConfig {
  const steps = defaults.thresholds?.steps.map((step) => ({ ...step, value: step.value ?? Number.NEGATIVE_INFINITY }));
  const mode = type === 'timeseries' ? FieldColorModeId.PaletteClassic : FieldColorModeId.Thresholds;
  return {
    ...defaults,
    thresholds: { mode: ThresholdsMode.Absolute, steps: steps ?? DEFAULT_THRESHOLDS },
    color: defaults.color ?? { mode },
    custom: type === 'timeseries' ? { ...LINE, ...defaults.custom } : { ...defaults.custom },
  };
}

function numberOf(text: string): number | null {
  const value = Number(text.replace('Inf', 'Infinity'));
  return Number.isNaN(value) ? null : value;
}

const nameOf = (legend: string, metric: Answer['metric']) =>
  legend.replaceAll(/\{\{(\w+)\}\}/g, (_whole, label: string) => metric[label] ?? '').trim();

/** Prometheus' answer as Grafana's data source gives it to a panel. @param stepSeconds between two points */
export async function framesOf(
  panel: Panel,
  answers: readonly (readonly Answer[])[],
  theme: GrafanaTheme2,
  stepSeconds: number,
): Promise<DataFrame[]> {
  const config = configOf(panel);
  const frames = panel.targets.flatMap((target, index) => {
    const series = answers[index] ?? [];
    if (target.format === 'table') return tableOf(target.refId, series, config, panel.targets.length > 1);
    if (target.format === 'heatmap')
      return series.map((one) => seriesOf(one, one.metric.le ?? '', config, stepSeconds));
    return series.map((one) => seriesOf(one, nameOf(target.legendFormat, one.metric), config, stepSeconds));
  });
  const transformed = await transform(frames, panel.transformations ?? []);
  const withOverrides = applyFieldOverrides({
    data: transformed,
    fieldConfig: { defaults: {}, overrides: [] },
    fieldConfigRegistry: new FieldConfigOptionsRegistry(() => []),
    replaceVariables: (text) => text,
    theme,
    timeZone: 'utc',
  });
  cacheFieldDisplayNames(withOverrides);
  let seriesIndex = 0;
  for (const { fields } of withOverrides)
    for (const field of fields) {
      if (field.type === FieldType.number) field.state = { ...field.state, seriesIndex: seriesIndex++ };
      field.display = getDisplayProcessor({ field, theme, timeZone: 'utc' });
    }
  return withOverrides;
}

function seriesOf(
  { metric, values, value }: Answer,
  name: string,
  config: FieldConfig,
  stepSeconds: number,
): DataFrame {
  const points = values ?? (value ? [value] : []);
  return createDataFrame({
    name,
    fields: [
      {
        name: 'Time',
        type: FieldType.time,
        values: points.map(([seconds]) => seconds * 1000),
        config: { interval: stepSeconds * 1000 },
      },
      {
        name: 'Value',
        type: FieldType.number,
        labels: { ...metric },
        values: points.map(([, text]) => numberOf(text)),
        config: { ...config, displayNameFromDS: name },
      },
    ],
  });
}

function tableOf(refId: string, series: readonly Answer[], config: FieldConfig, isOneOfMany: boolean): DataFrame[] {
  if (series.length === 0) return [];
  const labels = [...new Set(series.flatMap(({ metric }) => Object.keys(metric)))].sort();
  const frame = createDataFrame({
    refId,
    fields: [
      { name: 'Time', type: FieldType.time, values: series.map(({ value }) => (value?.[0] ?? 0) * 1000), config: {} },
      ...labels.map((label) => ({
        name: label,
        type: FieldType.string,
        values: series.map(({ metric }) => metric[label] ?? ''),
        config: {},
      })),
      {
        name: isOneOfMany ? `Value #${refId}` : 'Value',
        type: FieldType.number,
        values: series.map(({ value }) => numberOf(value?.[1] ?? '')),
        config,
      },
    ],
  });
  return [frame];
}

standardTransformersRegistry.setInit(() =>
  [standardTransformers.mergeTransformer, standardTransformers.organizeFieldsTransformer].map((transformer) => ({
    id: transformer.id,
    name: transformer.name,
    editor: () => null,
    imageDark: '',
    imageLight: '',
    transformation: () => Promise.resolve(transformer),
  })),
);

const transform = (frames: DataFrame[], transformations: NonNullable<Panel['transformations']>) =>
  firstValueFrom(transformDataFrame([...transformations], frames));
