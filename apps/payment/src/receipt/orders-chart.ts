import type { ReceiptOrder } from '@maker/contracts';

/** Width and height of the drawing, in its own units. */
export const CHART_SIZE = { width: 640, height: 160 } as const;

/** Most corners that the line is given: more could not be told apart. */
const MOST_POINTS = 320;

/** A drawing of orders over time and its words. */
export interface OrdersChart {
  /** SVG path of the number of orders placed so far, over time. */
  readonly line: string;
  /** The same, closed along the ground, to be filled. */
  readonly area: string;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly count: number;
}

/**
 * Draws how many orders were placed until when. Steady pace shows as a straight slope, a pause as a level piece.
 * @returns undefined with fewer than two placed orders, which make no line
 */
export function ordersChart(orders: readonly ReceiptOrder[]): OrdersChart | undefined {
  const placedAt = orders
    .filter(({ status }) => status === 'mined' || status === 'final')
    .map(({ minedAt, placedAt }) => Date.parse(minedAt ?? placedAt))
    .sort((one, other) => one - other);
  const first = placedAt[0];
  const last = placedAt.at(-1);
  if (first === undefined || last === undefined || last === first) return undefined;

  const { width, height } = CHART_SIZE;
  const every = Math.max(1, Math.ceil(placedAt.length / MOST_POINTS));
  const corners = placedAt.flatMap((at, index) => {
    const count = index + 1;
    if (count % every !== 0 && count !== placedAt.length) return [];
    const x = ((at - first) / (last - first)) * width;
    const y = height - (count / placedAt.length) * height;
    return [`${x.toFixed(1)} ${y.toFixed(1)}`];
  });
  const line = `M0 ${height}L${corners.join('L')}`;
  return {
    line,
    area: `${line}L${width} ${height}Z`,
    firstAt: new Date(first).toISOString(),
    lastAt: new Date(last).toISOString(),
    count: placedAt.length,
  };
}
