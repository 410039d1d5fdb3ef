import type { Hex } from 'viem';
import type { ChainFacts, TransactionFact } from '../chain/chain-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { honestReceipt, VENUES, withTransaction } from '../honest-receipt.fixture.ts';
import { CLAIMS } from './claims.ts';
import { type Check, Evidence } from './evidence.ts';

export const honest = honestReceipt(8);
export const { receipt, facts } = honest;
export const { rules } = receipt;
export const GONE: Hex = `0x${'9'.repeat(64)}`;
export const OTHER = `0x${'99'.repeat(20)}` as const;
export const V3 = VENUES.find(({ kind }) => kind === 'uniswap-v3') as (typeof VENUES)[number];

/** Breaches that a check finds in the honest receipt with a change, against changed facts of the chain. */
export function found(check: Check, change: Partial<SignedReceipt> = {}, chain: ChainFacts = facts): string[] {
  return [...check(new Evidence({ ...receipt, ...change }, chain))];
}

/** What a check without a breach proves. */
export function statement(
  check: Check,
  change: Partial<SignedReceipt> = {},
  chain: ChainFacts = facts,
): string | undefined {
  const claim = Object.values(CLAIMS).find((one) => one.check === check);
  return claim?.proven && [...claim.proven(new Evidence({ ...receipt, ...change }, chain))].join(' ');
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
