import { type DataFrame, formattedValueToString, type GrafanaTheme2, getValueFormat } from '@grafana/data';
import { useEffect, useRef } from 'react';

const LEFT = 48;
const TOP = 8;
const BOTTOM = 22;
const TICKS = 6;

/** Data and area of the plot. */
interface Heatmap {
  readonly frames: readonly DataFrame[];
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
  readonly theme: GrafanaTheme2;
}

/** A heatmap, since no package has Grafana's: a cell per bucket and time, darker with more samples. */
export function Heatmap({ frames, unit, from, to, width, height, theme }: Heatmap) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context) draw(context, { frames, unit, from, to, width, height, theme });
  });
  return <canvas ref={canvas} width={width} height={height} />;
}

/** Buckets are cumulative. */
function ownCounts(frames: readonly DataFrame[]): { bound: number; counts: Map<number, number> }[] {
  const buckets = frames
    .map(({ name = '', fields: [time, value] }) => ({
      bound: name === '+Inf' ? Number.POSITIVE_INFINITY : Number(name),
      counts: new Map<number, number>((time?.values ?? []).map((at, index) => [at, value?.values[index] ?? 0])),
    }))
    .sort((one, other) => one.bound - other.bound);
  return buckets.map(({ bound, counts }, index) => {
    const below = buckets[index - 1]?.counts;
    return { bound, counts: new Map([...counts].map(([at, count]) => [at, count - (below?.get(at) ?? 0)])) };
  });
}

function draw(context: CanvasRenderingContext2D, { frames, unit, from, to, width, height, theme }: Heatmap): void {
  const rows = ownCounts(frames);
  const most = Math.max(...rows.flatMap(({ counts }) => [...counts.values()]));
  const points = [...new Set(rows.flatMap(({ counts }) => [...counts.keys()]))].sort((one, other) => one - other);
  const stepMs = Math.min(...points.slice(1).map((at, index) => at - (points[index] ?? 0)));
  const rowHeight = (height - TOP - BOTTOM) / rows.length;
  const x = (at: number) => LEFT + ((at - from) / (to - from)) * (width - LEFT);
  const format = getValueFormat(unit);
  context.clearRect(0, 0, width, height);
  context.font = `12px ${theme.typography.fontFamily}`;
  rows.forEach(({ bound, counts }, index) => {
    const top = height - BOTTOM - (index + 1) * rowHeight;
    for (const [at, count] of counts) {
      if (count <= 1e-9) continue;
      const share = (count / most) ** 0.3;
      context.globalAlpha = 0.1 + 0.9 * share;
      context.fillStyle = theme.visualization.getColorByName('orange');
      context.fillRect(x(at), top + 0.5, Math.max(1, x(at + stepMs) - x(at) - 1), rowHeight - 1);
    }
    context.globalAlpha = 1;
    if (index % 2 === 1) return;
    context.fillStyle = theme.colors.text.primary;
    context.textAlign = 'right';
    context.fillText(Number.isFinite(bound) ? formattedValueToString(format(bound)) : '+Inf', LEFT - 6, top + 4);
  });
  context.fillStyle = theme.colors.text.primary;
  context.textAlign = 'center';
  for (let tick = 1; tick < TICKS; tick += 1) {
    const at = from + ((to - from) * tick) / TICKS;
    context.fillText(new Date(at).toISOString().slice(11, 19), x(at), height - 6);
  }
}
