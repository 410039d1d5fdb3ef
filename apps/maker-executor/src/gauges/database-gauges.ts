import { ACTIVE_PHASES, EXECUTION_PHASES, gaugesOf, missingNonces } from '@maker/execution-records';
import { PAUSE_REASONS } from '@maker/rules';
import { Clock, declareMetrics, MetricsRegistry, reading, readings, sharedReading } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { MakerDatabase } from '../database.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';

/** What is read from the database at each scrape: it is the same whichever replica is asked. */
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
  const held = sharedReading(() => executions.held(), now);
  const gauges = sharedReading(async () => {
    const [active, pauses] = await Promise.all([executions.active(), facts.pauses()]);
    return gaugesOf(active, chainTimeMs(), pauses);
  }, now);
  declareMetrics(registry, {
    maker_execution_executions: readings(
      'Executions by phase, as the database has them.',
      'phase',
      EXECUTION_PHASES,
      () => executions.count(),
    ),
    maker_execution_paused: readings(
      'Executions that wait, by why.',
      'reason',
      PAUSE_REASONS,
      async () => (await gauges()).paused,
    ),
    maker_execution_longest_pause_seconds: readings(
      'How long the execution that has waited longest has waited, by why.',
      'reason',
      PAUSE_REASONS,
      async () => inSeconds((await gauges()).longestPauseMs),
    ),
    maker_execution_overdue_seconds: readings(
      'How far the execution that is furthest behind its schedule is behind it, by phase; paused ones are left out.',
      'phase',
      ACTIVE_PHASES,
      async () => inSeconds((await gauges()).overdueMs),
    ),
    maker_execution_held_wei: reading(
      'HYPE that stays in wallets of ended executions for an operator, in wei (rounded to a double).',
      async () => (await held()).wei,
    ),
    maker_execution_held_executions: reading(
      'Executions that ended with something held for an operator: HYPE, or tokens that could not be delivered. Dust, which cannot pay the gas of its own return, does not count.',
      async () => (await held()).executions,
    ),
    maker_wallet_balance_wei: reading(
      'HYPE in the wallets of executions at work, by the ledger, in wei (rounded to a double).',
      async () => Number((await gauges()).balanceWei),
    ),
    maker_wallet_ledger_drifting: reading(
      'Wallets that are stopped because ledger and chain differ.',
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
    const [all, withoutMoney] = await Promise.all([
      transactions.nonces(),
      executions.walletsWithoutTheirMoney(rechecked),
    ]);
    return all.filter(({ sender }) => !withoutMoney.has(sender));
  }, now);
  declareMetrics(registry, {
    maker_wallet_in_flight_nonces: reading('Signed transactions in no block, over all wallets.', async () =>
      (await wallets()).reduce((sum, { unconfirmed }) => sum + unconfirmed.length, 0),
    ),
    maker_wallet_missing_nonces: reading(
      'Nonces that nobody holds below one in flight, over all wallets: nothing after them can be mined.',
      async () => (await wallets()).reduce((sum, wallet) => sum + missingNonces(wallet), 0),
    ),
    maker_wallet_oldest_unconfirmed_seconds: reading(
      'Age of the oldest signed transaction that is in no block; 0 when all are. Left out is what waits for money that was written off.',
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
