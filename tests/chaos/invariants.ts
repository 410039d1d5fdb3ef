import type { Address } from 'viem';
import type { ProductClient } from '../support/product-client.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { type JobRecords, ServiceRecords } from './service-records.ts';
import { violationsOf } from './violations.ts';
import { readWallets, type WalletFacts } from './wallet-facts.ts';

/** A job that a test created. */
export interface ChaosJob {
  readonly jobId: string;
  /** A block before the first payment to its wallet; reads of the chain start there. */
  readonly sinceBlock: number;
}

/** Final data of one job. */
export interface SettledJob {
  readonly jobId: string;
  readonly records: JobRecords;
  readonly facts: WalletFacts;
}

/** Phases of an ended execution with a receipt. */
const TRADED_PHASES = ['completed', 'failed'];
const FINAL_PHASES = [...TRADED_PHASES, 'refused', 'never_ran'];
const UNSETTLED_REFUNDS = ['due', 'released', 'reported'];

/** Jobs as {@link assertNothingLost} takes them. @param since a block before their first transactions */
export function jobsSince(jobs: readonly { readonly jobId: string }[], since: bigint): readonly ChaosJob[] {
  return jobs.map(({ jobId }) => ({ jobId, sinceBlock: Number(since) }));
}

/**
 * Waits until some jobs are at rest, then compares the services' records with the chain. Every job has its final state, one fee,
 * each return once, no nonce gap, no event without a number or parked, ledger = chain to the wei, and a receipt that the public verifier accepts.
 * A job's deposits must have come by plain transfers, and no other job may be under way.
 * @param circumstances seed and faults, printed with a failure
 * @throws Error with every violation
 */
export async function assertNothingLost(
  product: ProductClient,
  jobs: readonly ChaosJob[],
  circumstances: string,
  { timeoutMs = 180_000 } = {},
): Promise<readonly SettledJob[]> {
  const records = new ServiceRecords(product.stack);
  try {
    const settled = await settle(product, records, jobs, timeoutMs).catch((error: unknown) => {
      throw new Error(`[${circumstances}] not settled: ${error instanceof Error ? error.message : error}`);
    });
    const { stack } = product;
    const violations = settled.flatMap((job) => violationsOf({ stack, ...job }).map((line) => `${job.jobId}: ${line}`));
    if (violations.length > 0)
      throw new Error(`[${circumstances}] ${violations.length} violations:\n${violations.join('\n')}`);
    for (const {
      jobId,
      records: { execution },
    } of settled) {
      if (execution && TRADED_PHASES.includes(execution.phase)) await expectProven(product, jobId);
    }
    return settled;
  } finally {
    await records.close();
  }
}

async function settle(
  product: ProductClient,
  records: ServiceRecords,
  jobs: readonly ChaosJob[],
  timeoutMs: number,
): Promise<readonly SettledJob[]> {
  const jobIds = jobs.map(({ jobId }) => jobId);
  const readAll = async () => {
    const found = await Promise.all(jobIds.map((jobId) => records.ofJob(jobId)));
    const restless = [
      ...found.flatMap((one, index) => unsettled(one).map((line) => `${jobIds[index]}: ${line}`)),
      ...(await records.undelivered()),
      ...(await records.notTakenIn(jobIds)),
    ];
    if (restless.length > 0) return { restless, settled: [] };
    const settled = await withFacts(product, jobs, found);
    return { restless: settled.flatMap(uncredited), settled };
  };
  const { settled } = await until('the end of all jobs', readAll, ({ restless }) => restless.length === 0, {
    timeoutMs,
  });
  return settled;
}

async function withFacts(
  { chain }: ProductClient,
  jobs: readonly ChaosJob[],
  found: readonly JobRecords[],
): Promise<readonly SettledJob[]> {
  const sinceBlock = BigInt(Math.min(...jobs.map((job) => job.sinceBlock)));
  const wallets = found.map(({ job }) => ({
    address: job?.paymentAddress as Address,
    token: job?.tokenAddress as Address,
  }));
  const facts = await readWallets(chain, wallets, sinceBlock);
  return jobs.map(({ jobId }, index) => ({
    jobId,
    records: found[index] as JobRecords,
    facts: facts[index] as WalletFacts,
  }));
}

/** Descriptions of a job's work that is still under way. */
function unsettled({ job, execution, transactions, returns, refunds, seenDeposits }: JobRecords): string[] {
  const open = transactions.filter(({ state }) => state !== 'final');
  const lines = [
    ...(!job || job.status === 'pending_payment' || job.status === 'active' ? [`the job is ${job?.status}`] : []),
    ...open.map(({ _id, state }) => `the transaction ${_id} is ${state}`),
    ...returns.filter(({ status }) => status === 'due').map(({ _id }) => `the return ${_id} is due`),
    ...refunds.filter(({ state }) => UNSETTLED_REFUNDS.includes(state)).map(({ _id, state }) => `${_id} is ${state}`),
    ...seenDeposits
      .filter(({ state }) => state !== 'credited')
      .map(({ _id, state }) => `the deposit ${_id} is ${state}`),
  ];
  if (!execution) return lines;
  const { phase, attention, refunding } = execution;
  if (!FINAL_PHASES.includes(phase)) lines.push(`the execution is in ${phase}`);
  if (attention || refunding) lines.push('the execution has something to settle');
  return lines;
}

/** Payments that are on the chain and not in the job. */
function uncredited({ jobId, records, facts }: SettledJob): string[] {
  const credited = new Set(records.deposits.map(({ transactionHash }) => transactionHash));
  const missing = facts.transfersIn.filter(({ hash }) => !credited.has(hash));
  return missing.map(({ hash }) => `${jobId}: the payment ${hash} is not credited`);
}
