import { type Hex, numberToHex } from 'viem';
import type { WireLog, WireReceipt, WireTransaction } from './wire.ts';

/** The sender of credits from HyperCore; HYPE sent to it moves to HyperCore. Source: hyperevm § 1.1. */
export const SYSTEM_ADDRESS: Hex = '0x2222222222222222222222222222222222222222';

/**
 * The system transactions of one block. anvil executes them as ordinary transactions, first in the block and with a gas
 * price. This module corrects the answers: system transactions cost nothing, use none of the block's gas, and are omitted
 * unless the switch includes them. Source: hyperevm §§ 1.1, 1.2.
 */
export interface SystemTransactions {
  hashes: readonly Hex[];
  /** Their gas, as anvil counted it. */
  gasUsed: bigint;
  logs: number;
}

/** Transactions of the block as answers show them. */
export function shownTransactions(
  transactions: readonly WireTransaction[],
  system: SystemTransactions,
  included: boolean,
): WireTransaction[] {
  return transactions
    .filter(({ hash }) => included || !system.hashes.includes(hash))
    .map((transaction) => {
      if (system.hashes.includes(transaction.hash)) return { ...transaction, gasPrice: '0x0' };
      return { ...transaction, transactionIndex: moved(transaction.transactionIndex, system.hashes.length, included) };
    });
}

/** Receipts of the block as answers show them. */
export function shownReceipts(
  receipts: readonly WireReceipt[],
  system: SystemTransactions,
  included: boolean,
): WireReceipt[] {
  return receipts
    .filter(({ transactionHash }) => included || !system.hashes.includes(transactionHash))
    .map((receipt) => {
      if (system.hashes.includes(receipt.transactionHash)) {
        return { ...receipt, cumulativeGasUsed: '0x0', effectiveGasPrice: '0x0' };
      }
      return {
        ...receipt,
        transactionIndex: moved(receipt.transactionIndex, system.hashes.length, included),
        cumulativeGasUsed: numberToHex(BigInt(receipt.cumulativeGasUsed) - system.gasUsed),
        logs: shownLogs(receipt.logs, system, included),
      };
    });
}

/** Logs of the block as answers show them. */
export function shownLogs<Log extends WireLog>(
  logs: readonly Log[],
  system: SystemTransactions,
  included: boolean,
): Log[] {
  if (included) return [...logs];
  return logs
    .filter(({ transactionHash }) => !system.hashes.includes(transactionHash))
    .map((log) => ({
      ...log,
      transactionIndex: moved(log.transactionIndex, system.hashes.length, included),
      logIndex: moved(log.logIndex, system.logs, included),
    }));
}

function moved(index: Hex, by: number, included: boolean): Hex {
  return included ? index : numberToHex(Number(index) - by);
}
