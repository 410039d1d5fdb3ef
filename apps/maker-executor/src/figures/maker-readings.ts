import { PAUSE_REASONS } from '@maker/rules';
import { declareReading, declareReadings, sharedReading } from '@maker/service-kit';
import type { Registry } from 'prom-client';
import { ACTIVE_PHASES, EXECUTION_PHASES } from '../execution/execution.ts';
import type { ExecutionsRepository } from '../execution/executions.repository.ts';
import type { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { missingNonces } from '../transaction/wallet-nonces.ts';
import { figuresOf } from './execution-figures.ts';

/** Where the readings come from. */
export interface MakerReadingSources {
  readonly executions: ExecutionsRepository;
  readonly transactions: TransactionsRepository;
  /** ms */
  readonly now: () => number;
  /** Time of the newest block, ms; undefined before the first. */
  readonly chainTimeMs: () => number | undefined;
}

/** Declares what is read from the database at each scrape: it is the same whichever replica is asked. */
export function declareMakerReadings(registry: Registry, sources: MakerReadingSources): void {
  declareExecutionReadings(registry, sources);
  declareNonceReadings(registry, sources);
}

function declareExecutionReadings(registry: Registry, { executions, now, chainTimeMs }: MakerReadingSources): void {
  const counts = sharedReading(() => executions.count(), now);
  const held = sharedReading(() => executions.held(), now);
  const figures = sharedReading(async () => figuresOf(await executions.active(), chainTimeMs() ?? now(), now()), now);
  declareReadings(registry, {
    name: 'maker_execution_executions',
    help: 'Executions by phase, as the database has them.',
    label: 'phase',
    values: EXECUTION_PHASES,
    read: async () => (await counts()).phases,
  });
  declareReadings(registry, {
    name: 'maker_execution_paused',
    help: 'Executions that wait, by why.',
    label: 'reason',
    values: PAUSE_REASONS,
    read: async () => (await counts()).pauses,
  });
  declareReadings(registry, {
    name: 'maker_execution_longest_pause_seconds',
    help: 'How long the execution that has waited longest has waited, by why.',
    label: 'reason',
    values: PAUSE_REASONS,
    read: async () => inSeconds((await figures()).longestPauseMs),
  });
  declareReadings(registry, {
    name: 'maker_execution_overdue_seconds',
    help: 'How far the execution that is furthest behind its schedule is behind it, by phase; paused ones are left out.',
    label: 'phase',
    values: ACTIVE_PHASES,
    read: async () => inSeconds((await figures()).overdueMs),
  });
  declareReading(registry, {
    name: 'maker_execution_held_wei',
    help: 'HYPE that stays in wallets of ended executions for an operator, in wei (rounded to a double).',
    read: async () => (await held()).wei,
  });
  declareReading(registry, {
    name: 'maker_execution_held_executions',
    help: 'Executions that ended with something held for an operator: HYPE, or tokens that could not be delivered. Dust, which cannot pay the gas of its own return, does not count.',
    read: async () => (await held()).executions,
  });
  declareReading(registry, {
    name: 'maker_wallet_balance_wei',
    help: 'HYPE in the wallets of executions at work, by the ledger, in wei (rounded to a double).',
    read: async () => Number((await figures()).balanceWei),
  });
  declareReading(registry, {
    name: 'maker_wallet_ledger_drifting',
    help: 'Wallets that are stopped because ledger and chain differ.',
    read: async () => (await figures()).drifting,
  });
}

function declareNonceReadings(registry: Registry, { transactions, now }: MakerReadingSources): void {
  const wallets = sharedReading(() => transactions.nonces(), now);
  declareReading(registry, {
    name: 'maker_wallet_in_flight_nonces',
    help: 'Signed transactions in no block, over all wallets.',
    read: async () => (await wallets()).reduce((sum, { unconfirmed }) => sum + unconfirmed.length, 0),
  });
  declareReading(registry, {
    name: 'maker_wallet_missing_nonces',
    help: 'Nonces that nobody holds below one in flight, over all wallets: nothing after them can be mined.',
    read: async () => (await wallets()).reduce((sum, wallet) => sum + missingNonces(wallet), 0),
  });
  declareReading(registry, {
    name: 'maker_wallet_oldest_unconfirmed_seconds',
    help: 'Age of the oldest signed transaction that is in no block; 0 when all are.',
    read: async () => {
      const signedAt = (await wallets()).map(({ oldestSignedAt }) => oldestSignedAt.getTime());
      return signedAt.length === 0 ? 0 : Math.max(0, now() - Math.min(...signedAt)) / 1000;
    },
  });
}

function inSeconds<Key>(milliseconds: ReadonlyMap<Key, number>): ReadonlyMap<Key, number> {
  return new Map([...milliseconds].map(([key, ms]) => [key, ms / 1000]));
}
