import {
  createTheme,
  type DataFrame,
  dateTime,
  type FieldDisplay,
  type GrafanaTheme2,
  getDisplayValueAlignmentFactors,
  getFieldDisplayValues,
  ThemeContext,
} from '@grafana/data';
import {
  BarGaugeDisplayMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  VizOrientation,
} from '@grafana/schema';
import { BarGauge, BigValue, GlobalStyles, Icon, PanelChrome, TimeSeries, VizRepeater } from '@grafana/ui';
import { TableNG } from '@grafana/ui/unstable';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { type Answer, configOf, framesOf, type Panel } from './frames.tsx';
import { Heatmap } from './heatmap.tsx';

/** Input from the test: a board's JSON, and Prometheus' answers to its queries. */
interface Drawing {
  readonly board: { readonly title: string; readonly description: string; readonly panels: readonly Panel[] };
  readonly mode: 'dark' | 'light';
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
  readonly stepSeconds: number;
  /** Answers to each query, by id of the panel. */
  readonly answers: Readonly<Record<string, readonly (readonly Answer[])[]>>;
  /** Marked times with their colours. */
  readonly marks: readonly { readonly at: number; readonly color: string }[];
}

declare global {
  interface Window {
    readonly DRAWING: Drawing;
  }
}

const { board, mode, from, to, stepSeconds, answers, marks } = window.DRAWING;
const theme: GrafanaTheme2 = createTheme({ colors: { mode } });

// Grafana's grid.
const ROW = 30;
const GAP = 8;
const PADDING = 16;
const WIDTH = 1424;
const COLUMN = (WIDTH - 2 * PADDING + GAP) / 24 - GAP;

const TIME_RANGE = {
  from: dateTime(from * 1000),
  to: dateTime(to * 1000),
  raw: { from: dateTime(from * 1000), to: dateTime(to * 1000) },
};

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Drawn extends Size {
  readonly panel: Panel;
  readonly frames: DataFrame[];
}

const displayValues = ({ panel, frames }: Drawn): FieldDisplay[] =>
  getFieldDisplayValues({
    fieldConfig: { defaults: configOf(panel), overrides: [] },
    reduceOptions: panel.options.reduceOptions,
    replaceVariables: (text) => text,
    theme,
    data: frames,
    sparkline: false,
    timeZone: 'utc',
  });

function Stat(drawn: Drawn) {
  return (
    <VizRepeater
      getValues={() => displayValues(drawn)}
      renderValue={({ width, height, value, count }) => (
        <BigValue
          theme={theme}
          width={width}
          height={height}
          value={value.display}
          count={count}
          colorMode={BigValueColorMode.Value}
          graphMode={BigValueGraphMode.None}
          textMode={BigValueTextMode.Auto}
        />
      )}
      source={drawn.frames}
      orientation={VizOrientation.Auto}
      autoGrid
      renderCounter={0}
      width={drawn.width}
      height={drawn.height}
    />
  );
}

function Bars(drawn: Drawn) {
  const values = displayValues(drawn);
  const most = Math.max(1, ...values.map(({ display }) => display.numeric));
  return (
    <VizRepeater
      getValues={() => values}
      getAlignmentFactors={getDisplayValueAlignmentFactors}
      renderValue={({ width, height, value, alignmentFactors }) => (
        <BarGauge
          alignmentFactors={alignmentFactors}
          theme={theme}
          width={width}
          height={height}
          value={value.display}
          field={{ ...value.field, min: 0, max: most }}
          display={value.view?.getFieldDisplayProcessor(value.colIndex ?? 0) ?? (() => value.display)}
          displayMode={BarGaugeDisplayMode.Basic}
          orientation={VizOrientation.Horizontal}
        />
      )}
      source={drawn.frames}
      orientation={VizOrientation.Horizontal}
      itemSpacing={8}
      minVizHeight={drawn.panel.options.minVizHeight}
      maxVizHeight={drawn.panel.options.maxVizHeight}
      renderCounter={0}
      width={drawn.width}
      height={drawn.height}
    />
  );
}

function Lines({ panel, frames, width, height }: Drawn) {
  return (
    <TimeSeries
      frames={frames}
      structureRev={1}
      width={width}
      height={height}
      timeRange={TIME_RANGE}
      timeZone="utc"
      legend={panel.options.legend}
      options={panel.options}
    >
      {(config) => {
        config.addHook('draw', ({ ctx, bbox, valToPos }) => {
          ctx.save();
          ctx.setLineDash([4, 4]);
          for (const { at, color } of marks) {
            const x = valToPos(at * 1000, 'x', true);
            ctx.strokeStyle = theme.visualization.getColorByName(color);
            ctx.beginPath();
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
            ctx.stroke();
          }
          ctx.restore();
        });
        return null;
      }}
    </TimeSeries>
  );
}

function Content(drawn: Drawn) {
  const { panel, frames, width, height } = drawn;
  if (panel.type === 'stat') return <Stat {...drawn} />;
  if (frames.length === 0)
    return (
      <div style={{ height, display: 'grid', placeItems: 'center', color: theme.colors.text.secondary }}>
        {panel.fieldConfig.defaults.noValue ?? 'No data'}
      </div>
    );
  if (panel.type === 'bargauge') return <Bars {...drawn} />;
  if (panel.type === 'table') {
    const [data] = frames;
    return data ? (
      <TableNG data={data} {...{ width, height }} noHeader={!panel.options.showHeader} sortBy={panel.options.sortBy} />
    ) : null;
  }
  if (panel.type === 'heatmap') {
    const { unit = 'short' } = panel.fieldConfig.defaults;
    return <Heatmap {...{ frames, unit, width, height, theme }} from={from * 1000} to={to * 1000} />;
  }
  return <Lines {...drawn} />;
}

const pixels = (cells: number, cell: number) => cells * (cell + GAP) - GAP;

function Board({ frames }: { readonly frames: ReadonlyMap<number, DataFrame[]> }) {
  useEffect(() => {
    // Plots render in the frames after their insertion.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          document.title = 'drawn';
        }),
      ),
    );
  });
  const rows = Math.max(...board.panels.map(({ gridPos: { y, h } }) => y + h));
  const height = pixels(rows, ROW);
  return (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <div
        style={{ width: WIDTH, padding: PADDING, boxSizing: 'border-box', background: theme.colors.background.canvas }}
      >
        <div
          style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline', marginBottom: PADDING }}
        >
          <span style={{ fontSize: 18, fontWeight: 500 }}>{board.title}</span>
          <span style={{ color: theme.colors.text.secondary }}>{board.description}</span>
        </div>
        <div style={{ position: 'relative', height }}>
          {board.panels.map((panel) => {
            const { x, y, w, h } = panel.gridPos;
            const size = { width: pixels(w, COLUMN), height: pixels(h, ROW) };
            const place = { position: 'absolute', left: x * (COLUMN + GAP), top: y * (ROW + GAP), ...size } as const;
            if (panel.type === 'row')
              return (
                <div
                  key={panel.id}
                  style={{ ...place, display: 'flex', alignItems: 'center', gap: 8, fontWeight: 500 }}
                >
                  <Icon name="angle-down" />
                  {panel.title}
                </div>
              );
            return (
              <div key={panel.id} style={place}>
                <PanelChrome
                  title={panel.title}
                  description={panel.description}
                  titleItems={panel.links ? <Icon name="external-link-alt" size="sm" /> : undefined}
                  {...size}
                >
                  {(width: number, height: number) => (
                    <Content {...{ panel, width, height }} frames={frames.get(panel.id) ?? []} />
                  )}
                </PanelChrome>
              </div>
            );
          })}
        </div>
      </div>
    </ThemeContext.Provider>
  );
}

const frames = new Map<number, DataFrame[]>();
for (const panel of board.panels)
  if (panel.type !== 'row') frames.set(panel.id, await framesOf(panel, answers[panel.id] ?? [], theme, stepSeconds));
await document.fonts.ready;
const root = document.getElementById('root');
if (root) createRoot(root).render(<Board frames={frames} />);
