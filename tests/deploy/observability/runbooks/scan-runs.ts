import { readingOf } from '../../../support/readings.ts';
import { until } from '../../../support/until.ts';
import { tradesOn } from './mended.ts';
import { type FilledIn, type Run, type RunbookStage, SOON } from './runbook-stage.ts';

const WATCHER = 'payment-watcher';

/** Time that a killed process's transaction may hold a lease. */
const DEAD_HANDS_MS = 60_000;

/** Confirmations that no test waits for, and more than a visitor should wait for. */
const NEVER = '1000000';
const MANY = '40';

/** Blocks that an endpoint keeps, and blocks that the chain makes meanwhile. */
const KEPT_BLOCKS = 10;
const BLOCKS_IN_BETWEEN = 60;

/** A dead process holds its lease. */
async function stealTheScan(stage: RunbookStage) {
  const { jobId, paymentAddress } = await stage.create();
  await stage.stealLeases(WATCHER, 'scanner', DEAD_HANDS_MS);
  await stage.product.pay(paymentAddress, '0.25');
  return { JOB: jobId, SERVICE: stage.stack.ops[WATCHER] };
}

async function isScanned({ stack }: RunbookStage): Promise<void> {
  await until(
    'the scan',
    () => readingOf(stack.ops[WATCHER], 'maker_watcher_active'),
    (active) => active === 1,
    SOON,
  );
}

/** The watcher is configured with too many confirmations. */
const confirmLate = (confirmations: string) => async (stage: RunbookStage) => {
  const { jobId, paymentAddress } = await stage.create();
  await stage.running.restart(WATCHER, 0, { CHAIN_CONFIRMATIONS: confirmations });
  await stage.product.pay(paymentAddress, '0.25');
  return { JOB: jobId, SERVICE: stage.stack.ops[WATCHER] };
};

const confirmSoon = ({ running }: RunbookStage) => running.restart(WATCHER, 0, { CHAIN_CONFIRMATIONS: '1' });

/** A job's deadline passes while no watcher runs. */
async function passDeadlineUnseen(stage: RunbookStage) {
  await stage.running.restart('job', 0, { JOB_PAYMENT_TIMEOUT_SECONDS: '10' });
  const { jobId } = await stage.create();
  await stage.running.restart('job', 0, { JOB_PAYMENT_TIMEOUT_SECONDS: '900' });
  await stage.running.kill(WATCHER, 'SIGKILL');
  return { JOB: jobId, SERVICE: stage.stack.ops[WATCHER] };
}

async function isExpired(stage: RunbookStage, { JOB = '' }: FilledIn): Promise<void> {
  await stage.untilPayment('the end', JOB, ({ status }) => status === 'payment_expired');
}

/** The watcher was down for longer than its endpoint keeps blocks; meanwhile a contract paid. */
async function missBlocks(stage: RunbookStage) {
  const { control } = stage.product;
  const { jobId, paymentAddress } = await stage.create();
  await stage.running.kill(WATCHER, 'SIGKILL');
  await stage.product.pay(paymentAddress, '0.25');
  await control.mine(BLOCKS_IN_BETWEEN);
  await control.setSwitches({ keptBlocks: KEPT_BLOCKS });
  await stage.running.restart(WATCHER);
  return { JOB: jobId, SERVICE: stage.stack.ops[WATCHER] };
}

/** An endpoint that keeps more blocks. */
async function keepHistory({ product }: RunbookStage): Promise<void> {
  await product.control.setSwitches({ keptBlocks: 1_000_000 });
}

/** Faults of the payment watcher. */
export const SCAN_RUNS: readonly Run[] = [
  {
    runbook: 'watcher-not-scanning',
    alert: 'MakerWatcherNotScanning',
    makeFault: stealTheScan,
    shows: /^maker_watcher_active.* 0$/m,
    blocksBefore: 1,
    elsewhere: isScanned,
    isMended: tradesOn,
  },
  {
    runbook: 'payment-seen-late',
    alert: 'MakerPaymentSeenLate',
    patience: { '[1h]': '[1m]' },
    makeFault: confirmLate(MANY),
    shows: /^maker_payment_detection_lag_blocks_/m,
    blocksBefore: 1,
    elsewhere: confirmSoon,
    isMended: tradesOn,
  },
  {
    runbook: 'paid-job-budgets',
    alert: 'MakerPaymentSeenBudgetBurn',
    makeFault: confirmLate(MANY),
    shows: /active/,
    blocksBefore: 1,
    elsewhere: confirmSoon,
    isMended: tradesOn,
  },
  {
    runbook: 'deposit-not-credited',
    alert: 'MakerDepositNotCredited',
    inStep: true,
    patience: { '> 120': '> 20' },
    makeFault: confirmLate(NEVER),
    shows: /^maker_payment_uncredited_deposits.* 1$/m,
    blocksBefore: 1,
    elsewhere: confirmSoon,
    isMended: tradesOn,
  },
  {
    runbook: 'job-not-expired',
    alert: 'MakerJobNotExpired',
    inStep: true,
    patience: { '> 300': '> 10' },
    makeFault: passDeadlineUnseen,
    shows: /no answer/,
    blocksBefore: 1,
    elsewhere: ({ running }) => running.restart(WATCHER),
    isMended: isExpired,
  },
  {
    runbook: 'blocks-missed',
    alert: 'MakerBlocksMissed',
    patience: { '1h': '1m' },
    makeFault: missBlocks,
    shows: /^maker_watcher_missed_blocks_total.* [1-9]/m,
    blocksBefore: 1,
    elsewhere: keepHistory,
    isMended: tradesOn,
  },
];
