import type { PausesRepository } from '@maker/execution-records';
import { MetricsRegistry } from '@maker/service-kit';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { sessionOf } from '../session/session.fixture.ts';
import { reportTick } from './report-tick.ts';

const X96 = 2n ** 96n;
const ENDED_AT = new Date(60_000);

it.each([
  ['completed', true],
  ['cancelled', false],
  ['liquidity', false],
] as const)('counts the quality of a job that ended %s: %s', async (kind, isCounted) => {
  const registry = new MetricsRegistry();
  const { execution } = sessionOf();
  const purchases = { ...execution.purchases, tradedWei: 1000n, boughtTokens: 1000n, quotedTokens: 1000n };
  const session = sessionOf({
    ending: { kind, message: 'it is over', at: ENDED_AT },
    endedAt: ENDED_AT,
    arrivalPriceX96: X96,
    purchases,
    totals: { ...execution.totals, orderWei: 1000n },
  });
  const reports = {
    metrics: new MakerMetrics(registry),
    logger: pino({ enabled: false }),
    pauses: {} as PausesRepository,
  };
  await reportTick(session, session, [{ kind: 'end', reason: 'over', endedAt: ENDED_AT, newFacts: [] }], reports);
  const shown = await registry.metrics();
  expect(shown.includes('maker_quality_jobs_ratio_count{figure="shortfall"} 1')).toBe(isCounted);
});
