import { formatHype } from '@maker/rules';
import { Refusal, type Step, StepFailure, Steps } from '../steps.ts';
import { type Beginning, type BegunJob, beginJob, type RoundKind } from './begin-job.ts';
import { paidFee, returned } from './watch-money.ts';

/** Between two looks at the API, ms: a job is stopped before its first order, some blocks after it was paid. */
const API_PAUSE_MS = 250;
/** Between two looks at the chain, ms: a block. */
const CHAIN_PAUSE_MS = 1000;
/** What is left for the stop of a job whose round failed, ms. */
const CLEAR_MS = 10_000;

/** What one round found. Times are ms, amounts wei. */
export interface RoundReport {
  /** Absent where no job was begun. */
  readonly kind?: RoundKind;
  readonly jobId?: string;
  /** Absent where every step succeeded. */
  readonly failure?: StepFailure;
  readonly tookMs: ReadonlyMap<Step, number>;
  /** Orders that were placed before the stop was heard. */
  readonly ordersPlaced: number;
  readonly feeWei: bigint;
  /** What left the wallet and came not back, but for the fee: gas, and what orders bought. Of a round that succeeded. */
  readonly otherCostWei: bigint;
  /** What the wallet holds in the end, as far as the chain could be asked. */
  readonly balanceWei?: bigint;
}

interface Seen {
  job?: BegunJob;
  isStopped: boolean;
  ordersPlaced: number;
  feeWei: bigint;
  costWei: bigint;
}

/**
 * One round: a job is created, paid and stopped, and its money seen to move to where it belongs. It never throws: what it found is its answer.
 * @param limitMs longest time of it @param ended ends it early: what was begun is stopped
 */
export async function runRound(beginning: Beginning, limitMs: number, ended: AbortSignal): Promise<RoundReport> {
  const steps = new Steps(limitMs, ended);
  const seen: Seen = { isStopped: false, ordersPlaced: 0, feeWei: 0n, costWei: 0n };
  let failure: StepFailure | undefined;
  try {
    await takeSteps(beginning, steps, seen);
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    failure = error;
    await stopWhatWasBegun(beginning, seen);
  }
  const balanceWei = await beginning.wallet.balance().catch(() => undefined);
  return {
    ...(seen.job && { kind: seen.job.kind, jobId: seen.job.jobId }),
    ...(failure && { failure }),
    tookMs: steps.tookMs,
    ordersPlaced: seen.ordersPlaced,
    feeWei: seen.feeWei,
    otherCostWei: failure ? 0n : seen.costWei - seen.feeWei,
    ...(balanceWei !== undefined && { balanceWei }),
  };
}

async function takeSteps(beginning: Beginning, steps: Steps, seen: Seen): Promise<void> {
  const { api, wallet, tokenAddress } = beginning;
  await steps.take('token', API_PAUSE_MS, async (signal) => {
    const { isValid, errorMessage } = await api.validate(tokenAddress, signal);
    if (!isValid) throw new Refusal(errorMessage ?? 'the token is not tradable');
    return true;
  });
  const job = await steps.take('job', API_PAUSE_MS, (signal) => beginJob(beginning, signal));
  seen.job = job;

  const { price, before } = await steps.take('funds', CHAIN_PAUSE_MS, async () => {
    const [transferPrice, balance] = await Promise.all([wallet.transferPrice(), wallet.balance()]);
    if (balance >= job.paidWei + transferPrice.mostGasWei) return { price: transferPrice, before: balance };
    const has = `${wallet.address} holds ${formatHype(balance)} HYPE`;
    throw new Refusal(`${has}, and this ${job.kind} round pays ${formatHype(job.paidWei)} and gas`);
  });
  const payment = await steps.take('payment', CHAIN_PAUSE_MS, () =>
    wallet.sign(job.paymentAddress, job.paidWei, price),
  );
  await steps.take('payment', CHAIN_PAUSE_MS, () => wallet.send(payment));
  const afterPayment = await steps.take('payment', CHAIN_PAUSE_MS, () => wallet.balance());

  await steps.take('detection', API_PAUSE_MS, async (signal) => {
    const { receivedWei } = await api.payment(job.jobId, signal);
    return BigInt(receivedWei) >= job.paidWei ? true : undefined;
  });
  if (job.kind === 'whole') {
    await steps.take('activation', API_PAUSE_MS, async (signal) => {
      const { status } = await api.payment(job.jobId, signal);
      if (status === 'active') return true;
      if (status !== 'pending_payment') throw new Refusal(`the job is ${status}`);
      return undefined;
    });
  }
  await steps.take('stop', API_PAUSE_MS, (signal) => api.stop(job.jobId, job.stopSecret, signal));
  seen.isStopped = true;

  if (job.kind === 'whole') {
    seen.feeWei = await steps.take('fee', API_PAUSE_MS, async (signal) => {
      const status = await api.status(job.jobId, signal);
      return paidFee(status, job);
    });
  }
  const returnedWei = await steps.take('return', API_PAUSE_MS, async (signal) => {
    const status = await api.status(job.jobId, signal);
    seen.ordersPlaced = status.receipt?.ordersPlaced ?? 0;
    return returned(status, job);
  });
  await steps.take('return', CHAIN_PAUSE_MS, async () => {
    const balance = await wallet.balance();
    if (balance < afterPayment + returnedWei) return undefined;
    // What somebody added to the wallet in the meantime is no saving.
    seen.costWei = before - afterPayment - returnedWei;
    return true;
  });
}

/** A job that was paid must not trade because its round failed. Nobody hears of it but by the failure that led here. */
async function stopWhatWasBegun({ api }: Beginning, { job, isStopped }: Seen): Promise<void> {
  if (!job || isStopped) return;
  const clearing = new Steps(CLEAR_MS, new AbortController().signal);
  await clearing
    .take('stop', API_PAUSE_MS, (signal) => api.stop(job.jobId, job.stopSecret, signal))
    .catch((error: unknown) => {
      if (!(error instanceof StepFailure)) throw error;
    });
}
