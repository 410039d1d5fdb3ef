import { MetricsRegistry, SystemClock } from '@maker/service-kit';
import { expect, it } from 'vitest';
import type { DepositsRepository } from './deposit/deposits.repository.ts';
import { PaymentWatcherMetrics } from './payment-watcher.metrics.ts';

it('measures the detection lag up to the newest block known', async () => {
  const registry = new MetricsRegistry();
  const deposits = { countUncredited: async () => ({ count: 0 }) } as unknown as DepositsRepository;
  const metrics = new PaymentWatcherMetrics(registry, deposits, new SystemClock());
  // The watcher was down for 400 blocks: it scans the block after the payment while the chain is far ahead.
  metrics.scanned({ number: 101, hash: '0x', timestampMs: 0 }, 500, 1);
  metrics.credited('transfer', 1n, 100);
  expect(await registry.metrics()).toContain('maker_payment_detection_lag_blocks_sum{kind="transfer"} 400');
});
