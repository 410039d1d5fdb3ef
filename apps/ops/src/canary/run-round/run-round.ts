import { formatHype } from '@maker/rules';
import { Refusal, type Step, StepFailure, Steps } from '../steps.ts';
import { beginJob, type NewJob, type RoundKind, type RoundOptions } from './begin-job.ts';
import { paidFee, returned } from './watch-money.ts';

/** Time between two API polls, ms: the stop must arrive before the first order, some blocks after the payment. */
const API_PAUSE_MS = 250;
/** Time between two polls of the chain, ms: a block. */
const CHAIN_PAUSE_MS = 1000;
/** Time to stop the job of a failed round, ms. */
const CLEAR_MS = 10_000;

/** Result of a round. Times are ms, amounts wei. */
export interface RoundReport {
  /** Absent if no job was created. */
  readonly kind?: RoundKind;
  readonly jobId?: string;
  /** Absent if every step succeeded. */
  readonly failure?: StepFailure;
  readonly tookMs: ReadonlyMap<Step, number>;
  /** Orders that were placed before the stop took effect. */
  readonly ordersPlaced: number;
  readonly feeWei: bigint;
  /** Unreturned money without the fee: gas and spending of orders. 0 if the round failed. */
  readonly otherCostWei: bigint;
  /** Balance of the wallet at the end; absent if the chain does not answer. */
  readonly balanceWei?: bigint;
}

interface RoundState {
  job?: NewJob;
  isStopped: boolean;
  ordersPlaced: number;
  feeWei: bigint;
  costWei: bigint;
}

/**
 * Runs one round: creates, pays and stops a job, and checks that its money arrives. A failed step does not throw: the report has it.
 * @param limitMs time limit of the round, ms @param ended ends the round early and stops its job
 */
export async function runRound(options: RoundOptions, limitMs: number, ended: AbortSignal): Promise<RoundReport> {
  const steps = new Steps(limitMs, ended);
  const state: RoundState = { isStopped: false, ordersPlaced: 0, feeWei: 0n, costWei: 0n };
  let failure: StepFailure | undefined;
  try {
    await takeSteps(options, steps, state);
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    failure = error;
    await stopJob(options, state);
  }
  const balanceWei = await options.wallet.balance().catch(() => undefined);
  return {
    ...(state.job && { kind: state.job.kind, jobId: state.job.jobId }),
    ...(failure && { failure }),
    tookMs: steps.tookMs,
    ordersPlaced: state.ordersPlaced,
    feeWei: state.feeWei,
    otherCostWei: failure ? 0n : state.costWei - state.feeWei,
    ...(balanceWei !== undefined && { balanceWei }),
  };
}

async function takeSteps(options: RoundOptions, steps: Steps, state: RoundState): Promise<void> {
  const { api, wallet, tokenAddress } = options;
  await steps.take('token', API_PAUSE_MS, async (signal) => {
    const { isValid, errorMessage } = await api.validate(tokenAddress, signal);
    if (!isValid) throw new Refusal(errorMessage ?? 'the token is not tradable');
    return true;
  });
  const job = await steps.take('job', API_PAUSE_MS, (signal) => beginJob(options, signal));
  state.job = job;

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
  state.isStopped = true;

  if (job.kind === 'whole') {
    state.feeWei = await steps.take('fee', API_PAUSE_MS, async (signal) => {
      const status = await api.status(job.jobId, signal);
      return paidFee(status, job);
    });
  }
  const returnedWei = await steps.take('return', API_PAUSE_MS, async (signal) => {
    const status = await api.status(job.jobId, signal);
    state.ordersPlaced = status.receipt?.ordersPlaced ?? 0;
    return returned(status, job);
  });
  await steps.take('return', CHAIN_PAUSE_MS, async () => {
    const balance = await wallet.balance();
    if (balance < afterPayment + returnedWei) return undefined;
    // Ignores money that another sender added to the wallet meanwhile.
    state.costWei = before - afterPayment - returnedWei;
    return true;
  });
}

/** Stops the job of a failed round, or a paid job would trade. A failed stop is not reported: the round's failure is. */
async function stopJob({ api }: RoundOptions, { job, isStopped }: RoundState): Promise<void> {
  if (!job || isStopped) return;
  const clearing = new Steps(CLEAR_MS, new AbortController().signal);
  await clearing
    .take('stop', API_PAUSE_MS, (signal) => api.stop(job.jobId, job.stopSecret, signal))
    .catch((error: unknown) => {
      if (!(error instanceof StepFailure)) throw error;
    });
}
