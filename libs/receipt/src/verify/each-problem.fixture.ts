import type { Hex } from 'viem';
import type { ChainFacts, TransactionFact } from '../chain/chain-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { honestReceipt, VENUES, withTransaction } from '../honest-receipt.fixture.ts';
import { Evidence, type Rule } from './evidence.ts';

export const honest = honestReceipt(8);
export const { receipt, facts } = honest;
export const { rules } = receipt;
export const GONE: Hex = `0x${'9'.repeat(64)}`;
export const OTHER = `0x${'99'.repeat(20)}` as const;
export const V3 = VENUES.find(({ kind }) => kind === 'uniswap-v3') as (typeof VENUES)[number];

/** Problems that a rule finds in the honest receipt with a change, against changed facts of the chain. */
export function found(rule: Rule, change: Partial<SignedReceipt> = {}, chain: ChainFacts = facts): string[] {
  return [...rule.broken(new Evidence({ ...receipt, ...change }, chain))];
}

export function statement(
  rule: Rule,
  change: Partial<SignedReceipt> = {},
  chain: ChainFacts = facts,
): string | undefined {
  return rule.statement?.(new Evidence({ ...receipt, ...change }, chain));
}

export function onChain(hash: Hex, change: Partial<TransactionFact>): ChainFacts {
  return withTransaction(honest, hash, change);
}

export type Kind = SignedReceipt['transfers'][number]['kind'];

export function transfersWith(kind: Kind, change: Partial<SignedReceipt['transfers'][number]>) {
  return { transfers: receipt.transfers.map((one) => (one.kind === kind ? { ...one, ...change } : one)) };
}

export function hashOf(kind: Kind): Hex {
  const transfer = receipt.transfers.find((one) => one.kind === kind);
  if (!transfer) throw new Error(`no ${kind}`);
  return transfer.transactionHash;
}

export function ordersWith(number: number, change: Partial<SignedReceipt['orders'][number]>) {
  return { orders: receipt.orders.map((one) => (one.number === number ? { ...one, ...change } : one)) };
}

export function orderOf(number: number): SignedReceipt['orders'][number] {
  const order = receipt.orders[number - 1];
  if (!order) throw new Error(`no order ${number}`);
  return order;
}

export function rulesWith(change: Partial<SignedReceipt['rules']>) {
  return { rules: { ...rules, ...change } };
}
