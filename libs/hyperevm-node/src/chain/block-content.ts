import { type Hex, numberToHex } from 'viem';
import type { ExecutionCall } from '../execution/execution.ts';
import type { Credit } from '../rules/core-ledger.ts';
import type { WaitingTransaction } from '../rules/mempool.ts';
import { OTHER_SENDERS, type OtherTransaction } from '../rules/other-traffic.ts';
import { SYSTEM_ADDRESS } from '../rules/system-transactions.ts';

const RICH = numberToHex(10n ** 30n);
/** Addresses of the simulated other users, and the contract that they call. */
const OTHERS = Array.from({ length: OTHER_SENDERS }, (_, index) => address(0x07e5_0000 + index));
const GAS_BURNER = address(0x07e5_ffff);
/** JUMPDEST, PUSH1 100, GAS, GT, PUSH1 0, JUMPI, STOP: loops until less than 100 of its gas is left. */
const GAS_BURNER_CODE: Hex = '0x5b60645a1160005700';

/** A transaction that a block may include: from the mempool, or of a simulated other user. */
export type Included = WaitingTransaction | OtherTransaction;

/** Lets anvil send for addresses without known keys. Once per run of anvil is enough. */
export function impersonations(): ExecutionCall[] {
  return [SYSTEM_ADDRESS, ...OTHERS].map((of) => ({ method: 'anvil_impersonateAccount', params: [of] }));
}

/** Sends a transaction to anvil, which orders the block's transactions by arrival. */
export function sending(transaction: Included): ExecutionCall {
  if ('raw' in transaction) return { method: 'eth_sendRawTransaction', params: [transaction.raw] };
  return sendFrom(OTHERS[transaction.sender] ?? GAS_BURNER, {
    to: GAS_BURNER,
    gas: numberToHex(transaction.gas),
    maxFeePerGas: numberToHex(transaction.maxFeePerGasWei),
    maxPriorityFeePerGas: numberToHex(transaction.maxTipWei),
  });
}

/** Gives the other users their contract and balances. Repeated for each block, since a reverted snapshot removes them. */
export function equipOthers(): ExecutionCall[] {
  const code = { method: 'anvil_setCode', params: [GAS_BURNER, GAS_BURNER_CODE] };
  return [code, ...OTHERS.map((other) => ({ method: 'anvil_setBalance', params: [other, RICH] }))];
}

/** Estimates the gas of a credit. */
export function creditEstimate(credit: Credit): ExecutionCall {
  return { method: 'eth_estimateGas', params: [creditOf(credit), 'latest'] };
}

/** Funds the system address: anvil charges it the gas and the amount. */
export function equipSystem(): ExecutionCall[] {
  return [{ method: 'anvil_setBalance', params: [SYSTEM_ADDRESS, RICH] }];
}

/** System transactions for credits from HyperCore. anvil requires that they pay the base fee; answers do not show that. */
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
