import { ACTIVE_PHASES, EXECUTION_PHASES, gaugesOf, missingNonces } from '@maker/execution-records';
import { PAUSE_REASONS } from '@maker/rules';
import { Clock, declareMetrics, MetricsRegistry, reading, readings, sharedReading } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { MakerDatabase } from '../database.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';

/** Gauges read from the database at each scrape. Each replica answers the same. */
@Injectable()
export class DatabaseGauges {
  constructor(registry: MetricsRegistry, database: MakerDatabase, metrics: MakerMetrics, clock: Clock) {
    const now = () => clock.now();
    declareExecutionGauges(registry, database, now, () => metrics.chainTimeMs ?? now());
    declareNonceGauges(registry, database, now);
  }
}

/** @param now ms @param chainTimeMs time of the newest block, ms */
function declareExecutionGauges(
  registry: Registry,
  { executions, facts }: MakerDatabase,
  now: () => number,
  chainTimeMs: () => number,
): void {
  const held = sharedReading(() => executions.held());
  const gauges = sharedReading(async () => {
    const [active, pauses] = await Promise.all([executions.active(), facts.pauses()]);
    return gaugesOf(active, chainTimeMs(), pauses);
  }, now);
  declareMetrics(registry, {
    maker_execution_executions: readings('Executions by phase, from the database.', 'phase', EXECUTION_PHASES, () =>
      executions.count(),
    ),
    maker_execution_paused: readings(
      'Paused executions by reason.',
      'reason',
      PAUSE_REASONS,
      async () => (await gauges()).paused,
    ),
    maker_execution_longest_pause_seconds: readings(
      'Longest time that an execution has been paused, by reason.',
      'reason',
      PAUSE_REASONS,
      async () => inSeconds((await gauges()).longestPauseMs),
    ),
    maker_execution_overdue_seconds: readings(
      'Longest delay of an execution against its schedule, by phase, without paused ones.',
      'phase',
      ACTIVE_PHASES,
      async () => inSeconds((await gauges()).overdueMs),
    ),
    maker_execution_held_wei: reading(
      'HYPE held for an operator in wallets of ended executions, in wei (rounded to a double).',
      async () => (await held()).wei,
    ),
    maker_execution_held_executions: reading(
      'Ended executions with HYPE or undelivered tokens held for an operator, without dust, which cannot pay the gas of its return.',
      async () => (await held()).executions,
    ),
    maker_wallet_balance_wei: reading(
      'HYPE in the wallets of active executions, by the ledger, in wei (rounded to a double).',
      async () => Number((await gauges()).balanceWei),
    ),
    maker_wallet_ledger_drifting: reading(
      'Wallets stopped because ledger and chain differ.',
      async () => (await gauges()).drifting,
    ),
  });
}

function declareNonceGauges(
  registry: Registry,
  { executions, transactions, facts }: MakerDatabase,
  now: () => number,
): void {
  const wallets = sharedReading(async () => {
    const rechecked = await facts.jobsAtWork(['recheck']);
    const [all, withoutMoney] = await Promise.all([transactions.nonces(), executions.walletsWithLoss(rechecked)]);
    return all.filter(({ sender }) => !withoutMoney.has(sender));
  }, now);
  declareMetrics(registry, {
    maker_wallet_in_flight_nonces: reading('Signed transactions in no block, over all wallets.', async () =>
      (await wallets()).reduce((sum, { unconfirmed }) => sum + unconfirmed.length, 0),
    ),
    maker_wallet_missing_nonces: reading(
      'Nonces without a transaction below one in flight, over all wallets: later transactions cannot be mined.',
      async () => (await wallets()).reduce((sum, wallet) => sum + missingNonces(wallet), 0),
    ),
    maker_wallet_oldest_unconfirmed_seconds: reading(
      'Age of the oldest signed transaction that is in no block; 0 without one. Wallets whose money was written off do not count.',
      async () => {
        const signedAt = (await wallets()).map(({ oldestSignedAt }) => oldestSignedAt.getTime());
        return signedAt.length === 0 ? 0 : Math.max(0, now() - Math.min(...signedAt)) / 1000;
      },
    ),
  });
}

function inSeconds<Key>(milliseconds: ReadonlyMap<Key, number>): ReadonlyMap<Key, number> {
  return new Map([...milliseconds].map(([key, ms]) => [key, ms / 1000]));
}
