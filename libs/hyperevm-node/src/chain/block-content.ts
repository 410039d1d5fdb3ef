import { type Hex, numberToHex } from 'viem';
import type { ExecutionCall } from '../execution/execution.ts';
import type { Credit } from '../rules/core-ledger.ts';
import type { WaitingTransaction } from '../rules/mempool.ts';
import { OTHER_SENDERS, type OtherTransaction } from '../rules/other-traffic.ts';
import { SYSTEM_ADDRESS } from '../rules/system-transactions.ts';

const RICH = numberToHex(10n ** 30n);
/** Of other people: their addresses, and the contract that they call. */
const OTHERS = Array.from({ length: OTHER_SENDERS }, (_, index) => address(0x07e5_0000 + index));
const GAS_BURNER = address(0x07e5_ffff);
/** JUMPDEST, PUSH1 100, GAS, GT, PUSH1 0, JUMPI, STOP: goes round until less than a hundred of its gas is left. */
const GAS_BURNER_CODE: Hex = '0x5b60645a1160005700';

/** What goes into a block of its own accord: of somebody that waits, or of other people. */
export type Included = WaitingTransaction | OtherTransaction;

/** Lets anvil send for addresses whose keys nobody has. Once is enough for as long as anvil runs. */
export function impersonations(): ExecutionCall[] {
  return [SYSTEM_ADDRESS, ...OTHERS].map((of) => ({ method: 'anvil_impersonateAccount', params: [of] }));
}

/** Sends a transaction to anvil, which takes them into the block in the order of their sending. */
export function sending(transaction: Included): ExecutionCall {
  if ('raw' in transaction) return { method: 'eth_sendRawTransaction', params: [transaction.raw] };
  return sendFrom(OTHERS[transaction.sender] ?? GAS_BURNER, {
    to: GAS_BURNER,
    gas: numberToHex(transaction.gas),
    maxFeePerGas: numberToHex(transaction.maxFeePerGasWei),
    maxPriorityFeePerGas: numberToHex(transaction.maxTipWei),
  });
}

/** What others need before they can send: they were not there before, and a snapshot that is reverted has them not. */
export function equipOthers(): ExecutionCall[] {
  const code = { method: 'anvil_setCode', params: [GAS_BURNER, GAS_BURNER_CODE] };
  return [code, ...OTHERS.map((other) => ({ method: 'anvil_setBalance', params: [other, RICH] }))];
}

/** How anvil is asked what gas a credit takes. */
export function creditEstimate(credit: Credit): ExecutionCall {
  return { method: 'eth_estimateGas', params: [creditOf(credit), 'latest'] };
}

/** What the system address needs before it can send: anvil takes gas and the amount from it. */
export function equipSystem(): ExecutionCall[] {
  return [{ method: 'anvil_setBalance', params: [SYSTEM_ADDRESS, RICH] }];
}

/** System transactions for credits from HyperCore; anvil wants them to pay the base fee, which is not shown. */
export function creditSendings(credits: readonly (Credit & { gas: Hex })[], baseFeeWei: bigint): ExecutionCall[] {
  return credits.map((credit) =>
    sendFrom(SYSTEM_ADDRESS, { ...creditOf(credit), gas: credit.gas, gasPrice: numberToHex(baseFeeWei) }),
  );
}

function creditOf({ to, amountWei }: Credit) {
  return { from: SYSTEM_ADDRESS, to, value: numberToHex(amountWei) };
}

function sendFrom(from: Hex, transaction: Record<string, Hex>): ExecutionCall {
  return { method: 'eth_sendTransaction', params: [{ ...transaction, from }] };
}

function address(number: number): Hex {
  return numberToHex(number, { size: 20 });
}
