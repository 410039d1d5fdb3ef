import { describe, expect, it } from 'vitest';
import { CHART_SIZE, ordersChart } from './orders-chart.ts';
import { orderNumber } from './receipt.fixture.ts';

describe('ordersChart', () => {
  it('draws nothing before there are two moments', () => {
    expect(ordersChart([])).toBeUndefined();
    expect(ordersChart([orderNumber(1)])).toBeUndefined();
  });

  it('rises from nothing at the first order to all at the last', () => {
    const chart = ordersChart([orderNumber(1), orderNumber(2), orderNumber(3)]);
    expect(chart?.line).toBe(`M0 ${CHART_SIZE.height}L0.0 106.7L320.0 53.3L640.0 0.0`);
    expect(chart?.count).toBe(3);
    expect(chart?.firstAt).toBe('2026-01-01T12:00:01.000Z');
    expect(chart?.lastAt).toBe('2026-01-01T12:00:03.000Z');
  });

  it('leaves out orders that were not mined', () => {
    const orders = [
      orderNumber(1),
      orderNumber(2, { status: 'failed' }),
      orderNumber(3, { status: 'broadcast' }),
      orderNumber(4),
    ];
    expect(ordersChart(orders)?.count).toBe(2);
  });

  it('stays small for a job of ten thousand orders', () => {
    const orders = Array.from({ length: 10_000 }, (_, index) => orderNumber(index + 1));
    const chart = ordersChart(orders);
    expect(chart?.line.length).toBeLessThan(6000);
    expect(chart?.line.endsWith('640.0 0.0')).toBe(true);
  });
});
