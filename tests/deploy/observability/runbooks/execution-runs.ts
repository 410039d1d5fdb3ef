import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mnemonicToSeedSync } from '@scure/bip39';
import { HDKey } from 'viem/accounts';
import { tradesAgain, tradesOn } from './mended.ts';
import type { FilledIn, Run, RunbookStage } from './runbook-stage.ts';

const EXECUTOR = 'maker-executor';

/** As long as a process that died may hold a wallet, and as long as nobody is told of one. */
const DEAD_HANDS_MS = 60_000;
const OVERDUE_MS = 40_000;

/** Wallets are in the hands of a process that died. */
const stealWallets = (ms: number) => async (stage: RunbookStage) => {
  const { JOB } = await stage.startTrading();
  await stage.stealLeases(EXECUTOR, 'wallet', ms);
  return { JOB, SERVICE: stage.stack.ops[EXECUTOR] };
};

/** The phrase of all wallets. */
async function seedOf({ stack }: RunbookStage): Promise<string> {
  const seed = await readFile(join(dirname(stack.operators[0]?.keyFile ?? ''), 'seed'), 'utf8');
  return seed.trim();
}

/** A row is not what was written: its wallet is another's. */
async function spoilTheRow(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await moveWallet(stage, JOB, 1_000_000);
  return { JOB, SERVICE: stage.stack.ops[EXECUTOR] };
}

const mendTheRow = (stage: RunbookStage, { JOB = '' }: FilledIn) => moveWallet(stage, JOB, -1_000_000);

async function moveWallet(stage: RunbookStage, job: string, by: number): Promise<void> {
  const rows = stage.rows<{ _id: string; walletIndex: number }>(EXECUTOR, 'executions');
  await rows.updateOne({ _id: job }, { $inc: { walletIndex: by } });
}

/** Nodes lose what they are sent, before each block. */
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

const accountXpub = (mnemonic: string) =>
  HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive("m/44'/60'/0'").publicExtendedKey;

/** A phrase of nobody's money. */
const OTHER_SEED = 'test test test test test test test test test test test junk';

/** The job service is given the xpub of another seed than the executor's. */
async function mountAnotherXpub(stage: RunbookStage) {
  await stage.running.restart('job', 0, { JOB_ACCOUNT_XPUB: accountXpub(OTHER_SEED) });
  const { jobId, paymentAddress } = await stage.create();
  await stage.product.pay(paymentAddress, '0.25');
  await stage.untilPayment('the refusal', jobId, ({ status }) => status === 'failed_technical');
  return { JOB: jobId };
}

async function mountTheRightXpub(stage: RunbookStage): Promise<void> {
  await stage.running.restart('job', 0, { JOB_ACCOUNT_XPUB: accountXpub(await seedOf(stage)) });
}

/** Faults of the one that trades. */
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
    makeFault: mountAnotherXpub,
    shows: /failed_technical/,
    blocksBefore: 1,
    elsewhere: mountTheRightXpub,
    isMended: tradesAgain,
  },
];
