import { ownArtifacts } from '@maker/local-stack';
import type { Address, Hex } from 'viem';
import { tradesAgain, tradesOn } from './mended.ts';
import type { FilledIn, Run, RunbookStage } from './runbook-stage.ts';

/** Code that rejects HYPE: transfers to it revert. */
const TAKES_NOTHING = '0x5f5ffd';

async function setCode({ product }: RunbookStage, address: string, code: Hex): Promise<void> {
  await product.control.request('anvil_setCode', address as Address, code);
}

async function pauseTrading(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await stage.product.operate('POST', `/jobs/${JOB}/pause`, { reason: 'an operator checks its token' });
  await stage.untilStatus('the pause', JOB, ({ receipt }) => receipt?.paused?.reason === 'operator');
  return { JOB };
}

/** The job's token reverts when mined, and not in simulations. */
async function spoilTheToken(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  const { RefusesWhenMined } = await ownArtifacts();
  const { v2Only } = stage.stack.tokens;
  const CODE = (await stage.product.chain.getCode({ address: v2Only })) ?? '0x';
  await setCode(stage, v2Only, RefusesWhenMined.deployedBytecode);
  return { JOB, CODE };
}

const mendTheToken = (stage: RunbookStage, { CODE }: FilledIn) =>
  setCode(stage, stage.stack.tokens.v2Only, CODE as Hex);

/** A paid job ends because its fee cannot be paid. */
async function refuseTheFee(stage: RunbookStage) {
  const { jobId, paymentAddress } = await stage.create();
  await setCode(stage, stage.stack.treasury, TAKES_NOTHING);
  await stage.product.pay(paymentAddress, '0.25');
  await stage.untilPayment('the end', jobId, ({ status }) => status === 'failed_technical');
  return { JOB: jobId };
}

const takeFees = (stage: RunbookStage) => setCode(stage, stage.stack.treasury, '0x');

/** Kills maker-executor while a paid job trades. It must not die before the payment, because it verifies each payment. */
async function loseExecutor(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await stage.running.kill('maker-executor', 'SIGKILL');
  return { JOB };
}

/** The configured RPC plan is far below a job's agreed pace. */
async function shrinkCapacity(stage: RunbookStage) {
  const { jobId, paymentAddress } = await stage.create();
  await stage.running.restart('job', 0, { JOB_ORDER_REQUESTS_PER_MINUTE: '40' });
  await stage.product.pay(paymentAddress, '0.25');
  await stage.untilPayment('the activation', jobId, ({ status }) => status === 'active');
  return { JOB: jobId };
}

/** Faults of paid jobs' purchases. */
export const TRADING_RUNS: readonly Run[] = [
  {
    runbook: 'executions-paused',
    alert: 'MakerExecutionsPausedLong',
    patience: { '> 21600': '> 20' },
    makeFault: pauseTrading,
    isMended: tradesOn,
  },
  {
    runbook: 'orders-reverting',
    alert: 'MakerOrdersReverting',
    patience: { '[15m]': '[1m]' },
    makeFault: spoilTheToken,
    blocksBefore: 1,
    elsewhere: mendTheToken,
    isMended: tradesOn,
  },
  {
    runbook: 'returns-failing',
    alert: 'MakerReturnsFailing',
    patience: { '[30m]': '[1m]' },
    makeFault: refuseTheFee,
    shows: /the treasury refused the fee/,
    blocksBefore: 2,
    elsewhere: takeFees,
    isMended: tradesAgain,
  },
  {
    runbook: 'job-failed',
    alert: 'MakerPaidJobFailed',
    patience: { '[1h]': '[1m]' },
    makeFault: refuseTheFee,
    shows: /the treasury refused the fee/,
    blocksBefore: 1,
    elsewhere: takeFees,
    isMended: tradesAgain,
  },
  {
    runbook: 'paid-job-not-executed',
    alert: 'MakerPaidJobNotExecuted',
    makeFault: loseExecutor,
    shows: /job\.status_changed .*to=active/,
    blocksBefore: 1,
    elsewhere: (stage) => stage.running.restart('maker-executor'),
    isMended: tradesOn,
  },
  {
    runbook: 'capacity-booked',
    alert: 'MakerCapacityBooked',
    makeFault: shrinkCapacity,
    shows: /active/,
    blocksBefore: 1,
    elsewhere: (stage) => stage.running.restart('job', 0, { JOB_ORDER_REQUESTS_PER_MINUTE: '100000' }),
    isMended: tradesAgain,
  },
];
