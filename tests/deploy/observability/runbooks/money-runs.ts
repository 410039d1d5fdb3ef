import type { OperatorJobResponse, ReconciliationResponse } from '@maker/contracts';
import { formatHype, parseHype } from '@maker/rules';
import { type Address, numberToHex } from 'viem';
import { expect } from 'vitest';
import { payThroughContract } from '../../../support/forwarder.ts';
import { rollBackBelow } from '../../../support/roll-back.ts';
import { until } from '../../../support/until.ts';
import { type FilledIn, type Run, type RunbookStage, SOON } from './runbook-stage.ts';

const AMOUNT = parseHype('0.05');

/** An underpayment from a contract: no known sender can receive the refund. */
async function payTooLittleFromAContract(stage: RunbookStage) {
  const job = await stage.create();
  await payThroughContract(stage.product, job.paymentAddress, formatHype(AMOUNT));
  await stage.untilPayment('the payment', job.jobId, ({ receivedWei }) => receivedWei === AMOUNT.toString());
  await stage.expire(job);
  await stage.untilStatus('the held money', job.jobId, ({ receipt }) => receipt?.heldWei === AMOUNT.toString());
  return { JOB: job.jobId };
}

async function payOnHyperCore(stage: RunbookStage) {
  const job = await stage.create();
  await stage.product.control.core.credit(job.paymentAddress as Address, AMOUNT);
  await stage.expire(job);
  return { JOB: job.jobId, AMOUNT: formatHype(AMOUNT) };
}

/** Nearly all of it: the payer pays the gas. */
async function payerHas(balance: () => Promise<bigint>): Promise<void> {
  const has = await until('the money', balance, (wei) => wei > 0n, SOON);
  expect(has).toBeGreaterThan((AMOUNT * 9n) / 10n);
}

const onHyperEvm = ({ product }: RunbookStage, { ADDRESS }: FilledIn) =>
  payerHas(() => product.chain.getBalance({ address: ADDRESS as Address }));
const onHyperCore = ({ product }: RunbookStage, { ADDRESS }: FilledIn) =>
  payerHas(() => product.control.core.balanceWei(ADDRESS as Address));

/** The chain drops the block of a credited payment, and never mines it again. */
async function dropCreditedPayment(stage: RunbookStage) {
  const { JOB, paidIn } = await stage.startTrading();
  await rollBackBelow(stage.product, paidIn);
  await stage.untilPayment('the drop', JOB, ({ droppedWei }) => droppedWei !== undefined);
  return { JOB };
}

/** The complete ledger of a job that an operator ended. */
async function totalsAtItsEnd(stage: RunbookStage, { JOB = '' }: FilledIn) {
  await stage.untilPayment('the end', JOB, ({ status }) => status === 'cancelled');
  const path = `/jobs/${JOB}/reconciliation`;
  const { totals, differenceWei } = await stage.product.operate<ReconciliationResponse>('GET', path);
  expect(differenceWei).toBe('0');
  return totals;
}

async function endedWithItsLoss(stage: RunbookStage, filledIn: FilledIn): Promise<void> {
  const totals = await totalsAtItsEnd(stage, filledIn);
  expect(totals).toMatchObject({ missing: parseHype('0.25').toString(), fee: '0', order: '0', returned: '0' });
}

/** Removes some of a wallet's HYPE without a transaction of the product. */
async function robWallet(stage: RunbookStage) {
  const { chain, control } = stage.product;
  const { JOB } = await stage.startTrading();
  const { job } = await stage.product.operate<OperatorJobResponse>('GET', `/jobs/${JOB}`);
  const address = job.paymentAddress as Address;
  const balance = await chain.getBalance({ address });
  await control.request('anvil_setBalance', address, numberToHex(balance - AMOUNT));
  return { JOB };
}

async function endedWithLessThanItHad(stage: RunbookStage, filledIn: FilledIn): Promise<void> {
  const { missing = 0 } = await totalsAtItsEnd(stage, filledIn);
  expect(BigInt(missing)).toBeGreaterThan((AMOUNT * 9n) / 10n);
}

/** Faults of deposits. */
export const MONEY_RUNS: readonly Run[] = [
  { runbook: 'money-held', alert: 'MakerMoneyHeld', makeFault: payTooLittleFromAContract, isMended: onHyperEvm },
  {
    runbook: 'money-unclaimed',
    alert: 'MakerMoneyUnclaimed',
    makeFault: payTooLittleFromAContract,
    isMended: onHyperEvm,
  },
  { runbook: 'money-on-hypercore', alert: 'MakerMoneyOnHyperCore', makeFault: payOnHyperCore, isMended: onHyperCore },
  {
    runbook: 'credit-dropped',
    alert: 'MakerCreditDropped',
    patience: { '[6h]': '[1m]' },
    makeFault: dropCreditedPayment,
    isMended: endedWithItsLoss,
  },
  {
    runbook: 'ledger-drift',
    alert: 'MakerLedgerDrift',
    patience: { '[10m]': '[1m]' },
    makeFault: robWallet,
    shows: /the wallet is stopped/,
    blocksBefore: 1,
    isMended: endedWithLessThanItHad,
  },
];
