import type { Receipt, ReceiptOrder } from '@maker/contracts';
import { larger, priceAbove, smaller } from '@maker/rules';

/** Width and height of the drawing, in its own units. */
export const PICTURE_SIZE = { width: 640, height: 200 } as const;

/** Maximum numbers of drawn orders and of table rows, evenly chosen: a reader could not distinguish more. */
const MOST_DRAWN = 160;
const MOST_ROWS = 20;

/** Margin above and below the prices, as a part of their range. */
const MARGIN = 0.08;

/** The band's limit is shown if it is no further above the prices than this many times their range. */
const NEAR_LIMIT = 3;

/** Prices that differ by less than this part count as unchanged: 1/1000. */
const FLAT_PART = 1000n;

/** A filled order, and the price of its pool before and after it. Prices X96. */
interface OrderInPool {
  readonly at: string;
  readonly atMs: number;
  readonly beforeX96: bigint;
  readonly afterX96: bigint;
  readonly paidX96: bigint;
}

/** A drawing of a job's orders over its pool's price, with the values for its texts. */
export interface PricePicture {
  /** SVG path of the pool's price over time. */
  readonly line: string;
  /** SVG path of a dot for each order, at the price that it paid. */
  readonly dots: string;
  /** Periods without orders: left edge and width. */
  readonly pauses: readonly { readonly x: number; readonly width: number }[];
  /** Y coordinate of the band's limit; absent if it is above the picture. */
  readonly limitY?: number;
  /** Prices at the upper and the lower edge, and the band's limit. X96 */
  readonly highestX96: bigint;
  readonly lowestX96: bigint;
  readonly limitX96?: bigint;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly count: number;
  /** Rows of the table for screen readers. */
  readonly rows: readonly Pick<OrderInPool, 'at' | 'beforeX96' | 'paidX96'>[];
}

/**
 * Draws each order against the price of its pool. Source: docs/quality.md.
 * @param receipt of the job: its band and pauses
 * @returns undefined if there is nothing to show: fewer than two filled orders with a known pool price; or no pause, no
 * band nearby, and almost constant prices
 */
export function pricePicture(
  orders: readonly ReceiptOrder[],
  { rules, pauses = [] }: Pick<Receipt, 'rules' | 'pauses'>,
): PricePicture | undefined {
  const filled = orders.flatMap(toPoint).sort((one, other) => one.atMs - other.atMs);
  const [first] = filled;
  const last = filled.at(-1);
  if (!first || !last || last.atMs === first.atMs) return undefined;

  const drawn = evenly(filled, MOST_DRAWN);
  const prices = drawn.flatMap(({ beforeX96, afterX96, paidX96 }) => [beforeX96, afterX96, paidX96]);
  const lowest = prices.reduce(smaller);
  const highest = prices.reduce(larger);
  const range = highest > lowest ? highest - lowest : highest / FLAT_PART + 1n;
  const limitX96 = rules?.seenPriceX96 ? priceAbove(BigInt(rules.seenPriceX96), BigInt(rules.bandBps)) : undefined;
  const isLimitNear = limitX96 !== undefined && limitX96 <= highest + BigInt(NEAR_LIMIT) * range;
  const top = isLimitNear ? larger(highest, limitX96) : highest;
  const margin = BigInt(Math.round(Number(top - lowest || range) * MARGIN));
  const [lowestX96, highestX96] = [lowest - margin, top + margin];

  const x = (atMs: number) => ((atMs - first.atMs) / (last.atMs - first.atMs)) * PICTURE_SIZE.width;
  // Subtract as bigint first: the differences are exact enough as numbers, the prices are not.
  const y = (priceX96: bigint) =>
    PICTURE_SIZE.height * (1 - Number(priceX96 - lowestX96) / Number(highestX96 - lowestX96));
  const place = (atMs: number, priceX96: bigint) => `${x(atMs).toFixed(1)} ${y(priceX96).toFixed(1)}`;

  const shaded = pauses.flatMap(({ since, until }) => {
    const from = Math.max(x(Date.parse(since)), 0);
    const to = Math.min(until === undefined ? PICTURE_SIZE.width : x(Date.parse(until)), PICTURE_SIZE.width);
    return to > from ? [{ x: from, width: to - from }] : [];
  });
  const hasMoved =
    hasRange(drawn.flatMap(({ beforeX96, afterX96 }) => [beforeX96, afterX96])) ||
    hasRange(drawn.map(({ paidX96 }) => paidX96));
  if (!hasMoved && !isLimitNear && shaded.length === 0) return undefined;

  return {
    line: `M${drawn.flatMap((one) => [place(one.atMs, one.beforeX96), place(one.atMs, one.afterX96)]).join('L')}`,
    dots: drawn.map((one) => `M${place(one.atMs, one.paidX96)}h0`).join(''),
    pauses: shaded,
    ...(isLimitNear && { limitY: y(limitX96) }),
    highestX96,
    lowestX96,
    ...(limitX96 !== undefined && { limitX96 }),
    firstAt: first.at,
    lastAt: last.at,
    count: filled.length,
    rows: evenly(filled, MOST_ROWS),
  };
}

/** Whether prices differ by 0.1 % or more: less is a flat line. */
function hasRange(prices: readonly bigint[]): boolean {
  const lowest = prices.reduce(smaller);
  return prices.reduce(larger) - lowest >= lowest / FLAT_PART;
}

function toPoint({ minedAt, priceX96, poolPriceBeforeX96, poolPriceAfterX96 }: ReceiptOrder): readonly OrderInPool[] {
  if (!minedAt || !priceX96 || !poolPriceBeforeX96 || !poolPriceAfterX96) return [];
  return [
    {
      at: minedAt,
      atMs: Date.parse(minedAt),
      beforeX96: BigInt(poolPriceBeforeX96),
      afterX96: BigInt(poolPriceAfterX96),
      paidX96: BigInt(priceX96),
    },
  ];
}

/** At most `count` items, evenly chosen, including the first and the last. */
function evenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => Math.round((index * (items.length - 1)) / (count - 1))).flatMap(
    (index) => items.slice(index, index + 1),
  );
}
