import { expectedBalance, isActivePhase, type TransactionRecord } from '@maker/execution-records';
import type { Address } from 'viem';
import { ROUTER, type SimulatedChain, TREASURY } from './simulated-chain.fixture.ts';
import type { SimulatedDatabase } from './simulated-database.fixture.ts';

/** Strangers who pay money that pays for no order. */
export const STRANGERS: readonly Address[] = [
  '0x7000000000000000000000000000000000000007',
  '0x8000000000000000000000000000000000000008',
];

/** A law that a history broke. */
class BrokenLaw extends Error {}

/** Fails the history if a law does not hold. */
export const demand = (holds: boolean, law: string) => {
  if (!holds) throw new BrokenLaw(law);
};

/** Checks the laws that hold once the job is settled. */
export function expectSettled({ all }: SimulatedDatabase, chain: SimulatedChain): void {
  const { execution, refunds, transactions, events, facts } = all;
  demand(!isActivePhase(execution.phase), `the job ends: it is in '${execution.phase}'`);
  demand(
    events.filter(({ type }) => /^execution\.(completed|failed)$/.test(type)).length === 1,
    'its end is published once',
  );
  demand(
    transactions.every(({ state }) => state === 'final'),
    'every transaction is final',
  );
  demand(execution.driftWei === 0n, `ledger and chain agree: ${execution.driftWei}`);
  demand(
    expectedBalance(execution.totals) === chain.balance(),
    `the ledger explains the wallet: ${expectedBalance(execution.totals)} of ${chain.balance()}`,
  );
  demand(
    refunds.every(({ state }) => state !== 'due'),
    'no refund stays due',
  );
  demand(facts.length === 0, `every fact is handled: ${facts.map(({ kind }) => kind).join()}`);
  expectSums(all, chain);
}

/** Checks the laws about money that hold at any time. */
export function expectSums({ execution, refunds }: SimulatedDatabase['all'], chain: SimulatedChain): void {
  const { feeWei, orderBudgetWei, totals } = execution;
  demand(chain.received(TREASURY, 'fee') <= feeWei, 'the fee is taken once');
  demand(chain.received(ROUTER, 'order') <= orderBudgetWei, 'orders spend no more than their budget');
  for (const stranger of STRANGERS) {
    const mine = refunds.filter(({ to }) => to === stranger).reduce((sum, { amountWei }) => sum + amountWei, 0n);
    demand(chain.received(stranger, 'refund') <= mine, 'a refund is paid once');
  }
  demand(totals.missingWei === 0n, 'nothing is written off');
}

/** Checks the laws about transactions that hold at any time. */
export function expectSaved(transactions: readonly TransactionRecord[], chain: SimulatedChain): void {
  const nonces = transactions.map(({ nonce }) => nonce);
  demand(new Set(nonces).size === nonces.length, 'no two transactions have one nonce');
  demand(
    nonces.every((nonce, index) => nonce === index),
    'no nonce is left out',
  );
  const saved = new Set(transactions.flatMap(({ attempts }) => attempts.map(({ hash }) => hash)));
  demand(
    chain.all().every(({ hash }) => saved.has(hash)),
    'only saved bytes are sent',
  );
}

/** Returns the changes of transactions that need the lease. `signed` and `broadcast` count as one: the difference is only for readers. */
export const stepsOf = (transactions: readonly TransactionRecord[]) =>
  transactions
    .map(({ id, state, attempts }) => `${id} ${attempts.length} ${state === 'signed' ? 'broadcast' : state}`)
    .join();
