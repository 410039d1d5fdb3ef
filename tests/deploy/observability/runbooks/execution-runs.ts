import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OperatorJobResponse, ReconciliationResponse } from '@maker/contracts';
import { localNetwork } from '@maker/local-stack';
import { walletPath } from '@maker/signing/derivation';
import { type Address, createWalletClient, http } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { until } from '../../../support/until.ts';
import { tradesAgain, tradesOn } from './mended.ts';
import { type FilledIn, type Run, type RunbookStage, SOON } from './runbook-stage.ts';

const EXECUTOR = 'maker-executor';

/** Time that a dead process may hold a wallet, and time without an alert about one. */
const DEAD_HANDS_MS = 60_000;
const OVERDUE_MS = 40_000;

/** A dead process holds the leases of wallets. */
const stealWallets = (ms: number) => async (stage: RunbookStage) => {
  const { JOB } = await stage.startTrading();
  await stage.stealLeases(EXECUTOR, 'wallet', ms);
  return { JOB, SERVICE: stage.stack.ops[EXECUTOR] };
};

const seedFileOf = ({ stack }: RunbookStage) => join(dirname(stack.operators[0]?.keyFile ?? ''), 'seed');

/** The phrase of all wallets. */
async function seedOf(stage: RunbookStage): Promise<string> {
  const seed = await readFile(seedFileOf(stage), 'utf8');
  return seed.trim();
}

/** A stored execution names another wallet. */
async function spoilTheRow(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await moveWallet(stage, JOB, 1_000_000);
  return { JOB, SERVICE: stage.stack.ops[EXECUTOR] };
}

const mendTheRow = (stage: RunbookStage, { JOB = '' }: FilledIn) => moveWallet(stage, JOB, -1_000_000);

async function moveWallet(stage: RunbookStage, job: string, by: number): Promise<void> {
  const rows = stage.rows<{ _id: string; walletIndex: number }>(EXECUTOR, 'executions');
  await rows.updateOne({ _id: job }, { $inc: { walletIndex: by } });
  // The executor reads the row of a running job only once.
  await stage.running.restart(EXECUTOR);
}

/** Nodes lose sent transactions before each block. */
class LosingNode {
  private readonly over = new Set<RunbookStage>();
  private losing: Promise<void> = Promise.resolve();

  readonly begin = async (stage: RunbookStage) => {
    const { JOB } = await stage.startTrading();
    await stage.product.control.setBlockInterval(0);
    this.over.delete(stage);
    this.losing = this.goOn(stage);
    return { JOB, SERVICE: stage.stack.ops[EXECUTOR] };
  };

  readonly end = async (stage: RunbookStage) => {
    this.over.add(stage);
    await this.losing;
    await stage.product.control.setBlockInterval(stage.blockMs);
  };

  private async goOn(stage: RunbookStage): Promise<void> {
    const { control } = stage.product;
    while (!this.over.has(stage)) {
      await new Promise((resolve) => setTimeout(resolve, stage.blockMs));
      await control.request('anvil_dropAllTransactions');
      await control.mine();
    }
  }
}

const losingNode = new LosingNode();

/** A phrase of a wallet without money. */
const OTHER_SEED = 'test test test test test test test test test test test junk';

/** The executor starts with another seed than at the job's creation. */
async function mountAnotherSeed(stage: RunbookStage) {
  const { jobId, paymentAddress } = await stage.create();
  const seedFile = join(stage.running.directory, 'another-seed');
  await writeFile(seedFile, OTHER_SEED, { mode: 0o400 });
  await stage.running.restart(EXECUTOR, 0, { MAKER_SEED_FILE: seedFile });
  await stage.product.pay(paymentAddress, '0.25');
  await stage.untilPayment('the refusal', jobId, ({ status }) => status === 'failed_technical');
  return { JOB: jobId };
}

async function mountTheRightSeed(stage: RunbookStage): Promise<void> {
  await stage.running.restart(EXECUTOR, 0, { MAKER_SEED_FILE: seedFileOf(stage) });
}

/** Delay that an execution can still make up, by the chain's clock. */
const LATE_SECONDS = 5;

interface TransactionRow {
  readonly _id: string;
  readonly sender: Address;
  readonly nonce: number;
}

/** A manual change in the database: of waiting transactions, the first loses its row, and the node loses the transaction. */
async function loseARow(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  const rows = stage.rows<TransactionRow>(EXECUTOR, 'transactions');
  const inFlight = () =>
    rows
      .find({ jobId: JOB, state: { $in: ['signed', 'broadcast'] } })
      .sort({ nonce: 1 })
      .toArray();
  const { control } = stage.product;
  await control.setBlockInterval(0);
  try {
    const lateBlocks = async () => {
      const found = await inFlight();
      if (found.length < 2) await mineLate(stage, JOB);
      return found;
    };
    // Waits for any order in flight, which would otherwise be alone in the late block.
    const pace = { ...SOON, everyMs: 4 * stage.blockMs };
    const [first] = await until('several orders in flight', lateBlocks, (found) => found.length > 1, pace);
    if (!first) throw new Error('nothing is in flight');
    await rows.deleteOne({ _id: first._id });
    await control.request('anvil_dropAllTransactions');
    const { ops, rpcUrl } = stage.stack;
    return { JOB, RPC: rpcUrl, SERVICE: ops[EXECUTOR], WALLET: first.sender, NONCE: String(first.nonce) };
  } catch (error) {
    // Later cases on this stage wait for blocks.
    await control.setBlockInterval(stage.blockMs);
    throw error;
  }
}

/** A block in which more than one order is due. */
async function mineLate(stage: RunbookStage, job: string): Promise<void> {
  const { chain, control } = stage.product;
  const rows = stage.rows<{ _id: string; nextOrderAtMs: number | null }>(EXECUTOR, 'executions');
  const execution = await rows.findOne({ _id: job });
  const { timestamp } = await chain.getBlock();
  const dueSeconds = Math.floor((execution?.nextOrderAtMs ?? 0) / 1000);
  const lateSeconds = Math.max(Number(timestamp) + 1, dueSeconds + LATE_SECONDS);
  await control.request('evm_setNextBlockTimestamp', lateSeconds);
  await control.mine();
}

/** Signs with the seed, as development would: the wallet sends nothing to itself with the missing nonce. */
async function fillTheGap(stage: RunbookStage, { JOB = '', NONCE }: FilledIn) {
  const { chain, control, stack } = stage.product;
  const { job } = await stage.product.operate<OperatorJobResponse>('GET', `/jobs/${JOB}`);
  const { change: changeIndex, index: addressIndex } = walletPath(job.walletIndex);
  const account = mnemonicToAccount(await seedOf(stage), { changeIndex, addressIndex });
  const wallet = createWalletClient({ account, chain: localNetwork(stack.rpcUrl), transport: http(stack.rpcUrl) });
  const hash = await wallet.sendTransaction({ to: account.address, value: 0n, nonce: Number(NONCE), gas: 21_000n });
  await control.setBlockInterval(stage.blockMs);
  await chain.waitForTransactionReceipt({ hash });
}

/** The wallet returned its money, and the ledger reports the gas of the manual transaction as missing. */
async function endedWithItsGas(stage: RunbookStage, { JOB = '' }: FilledIn): Promise<void> {
  await stage.untilPayment('the end', JOB, ({ status }) => status === 'cancelled');
  const path = `/jobs/${JOB}/reconciliation`;
  const { totals, differenceWei } = await stage.product.operate<ReconciliationResponse>('GET', path);
  expect(differenceWei).toBe('0');
  expect(BigInt(totals.missing ?? 0)).toBeGreaterThan(0n);
}

/** Faults of maker-executor. */
export const EXECUTION_RUNS: readonly Run[] = [
  {
    runbook: 'wallets-unowned',
    alert: 'MakerWalletsUnowned',
    makeFault: stealWallets(DEAD_HANDS_MS),
    shows: /^maker_wallet_owned.* 0$/m,
    blocksBefore: 1,
    isMended: tradesOn,
  },
  {
    runbook: 'execution-overdue',
    alert: 'MakerExecutionOverdue',
    patience: { '> 600': '> 30' },
    makeFault: stealWallets(OVERDUE_MS),
    shows: /active/,
    blocksBefore: 1,
    isMended: tradesOn,
  },
  {
    runbook: 'transaction-stuck',
    alert: 'MakerTransactionStuck',
    patience: { '> 180': '> 20' },
    makeFault: losingNode.begin,
    shows: /active/,
    blocksBefore: 1,
    elsewhere: losingNode.end,
    isMended: tradesOn,
  },
  {
    runbook: 'nonce-gap',
    alert: 'MakerNonceGap',
    makeFault: loseARow,
    shows: /^maker_wallet_missing_nonces.* 1$/m,
    blocksBefore: 2,
    elsewhere: fillTheGap,
    isMended: endedWithItsGas,
  },
  {
    runbook: 'execution-faults',
    alert: 'MakerExecutionFaults',
    patience: { '[10m])) > 60': '[1m])) > 10' },
    makeFault: spoilTheRow,
    shows: /active/,
    blocksBefore: 2,
    elsewhere: mendTheRow,
    isMended: tradesOn,
  },
  {
    runbook: 'signing-refused',
    alert: 'MakerSigningRefused',
    patience: { '[10m]': '[1m]' },
    makeFault: spoilTheRow,
    shows: /^maker_wallet_signing_errors_total.* [1-9]/m,
    blocksBefore: 2,
    elsewhere: mendTheRow,
    isMended: tradesOn,
  },
  {
    runbook: 'job-refused',
    alert: 'MakerJobRefused',
    patience: { '[1h]': '[1m]' },
    makeFault: mountAnotherSeed,
    shows: /failed_technical/,
    blocksBefore: 1,
    elsewhere: mountTheRightSeed,
    isMended: tradesAgain,
  },
];
