import type { ReceiptOrder } from '@maker/contracts';
import { useMemo } from 'react';
import { localTimeToTheSecond } from '../local-time.ts';
import { CHART_SIZE, ordersChart } from './orders-chart.ts';

/** The orders over time as a rising line, with the same in words below it. */
export function OrdersOverTime({ orders }: { readonly orders: readonly ReceiptOrder[] }) {
  const chart = useMemo(() => ordersChart(orders), [orders]);
  if (!chart) return null;
  return (
    <figure className="orders-over-time">
      <svg viewBox={`0 0 ${CHART_SIZE.width} ${CHART_SIZE.height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="orders-over-time__area" d={chart.area} />
        <path className="orders-over-time__line" d={chart.line} />
      </svg>
      <figcaption>
        {`${chart.count.toLocaleString('en-US')} orders placed from ${localTimeToTheSecond(chart.firstAt)} to ${localTimeToTheSecond(chart.lastAt)}`}
      </figcaption>
    </figure>
  );
}
