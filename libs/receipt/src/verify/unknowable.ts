import type { Address } from 'viem';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { owedToOthers } from './entitlements.ts';
import { type Evidence, hype } from './evidence.ts';
import { dearestPrice } from './order-rules.ts';
import { uncheckedPrices } from './price-rules.ts';
import { UNSENDABLE_WEI } from './schedule-rules.ts';
import { unknownService } from './service-rules.ts';
import { wideLimits } from './wide-limits.ts';

/** HyperEVM's mainnet; only its HYPE has value. Source: hyperevm § 1. */
const MAINNET = 999;

/** Deposits without a transaction that names amount and sender, wei. */
export function untracedWei({ deposits }: Pick<SignedReceipt, 'deposits'>): bigint {
  const untraced = deposits.filter(({ kind }) => kind === 'untraced');
  return untraced.reduce((total, { amountWei }) => total + BigInt(amountWei), 0n);
}

/** Points of a receipt that the chain cannot prove, or can no longer prove. */
export function* unknowable(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  if (receipt.chainId !== MAINNET)
    yield `Whether the amounts have any value: chain ${receipt.chainId} is not HyperEVM's mainnet.`;
  yield* unknownService(evidence);
  yield* otherRecipients(evidence);
  const untraced = untracedWei(receipt);
  if (untraced > 0n)
    yield `Who sent ${hype(untraced)}: the receipt names no transaction of this money. The sums prove the amount.`;
  yield* wideLimits(evidence);
  const dearest = dearestPrice(evidence);
  if (dearest !== undefined) {
    const compare = evidence.terms
      ? ''
      : `Compare ${evidence.price(dearest)}, the highest price of an order, with the price that you saw on your own page.`;
    const sentence = `${uncheckedPrices(evidence)}${compare}`.trim();
    if (sentence !== '') yield sentence;
  }
  if (receipt.state === 'final') yield* keptBack(evidence);
  yield* afterReceipt(evidence);
}

/** Recipients other than the payer: only the payer knows the owners of these addresses. */
function* otherRecipients(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  const got = new Map<Address, { wei: bigint; tokens: bigint }>();
  for (const { kind, succeeded, to, amount } of receipt.transfers) {
    if (!succeeded || to === receipt.payer || (kind !== 'delivery' && kind !== 'return')) continue;
    const before = got.get(to) ?? { wei: 0n, tokens: 0n };
    if (kind === 'return') got.set(to, { ...before, wei: before.wei + BigInt(amount) });
    else got.set(to, { ...before, tokens: before.tokens + BigInt(amount) });
  }
  for (const [to, { wei, tokens }] of got) {
    if (evidence.terms && evidence.recipients.includes(to)) continue;
    const received = `it received ${evidence.tokens(tokens)} and ${hype(wei)}`;
    yield to === receipt.returnAddress && receipt.releasedAt === null
      ? `Whether the payer named ${to} as the return address: ${received}.`
      : `Whether ${to} belongs to the payer: ${received}. The service says that operators released this money.`;
  }
}

/** Deposits of other senders for no order that were not refunded, and money that stays in the wallet. */
function* keptBack(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  const leftWei = BigInt(receipt.sums.leftWei);
  const owed = owedToOthers(evidence);
  const sumWei = [...owed.values()].reduce((sum, wei) => sum + wei, 0n);
  if (sumWei > leftWei && sumWei - leftWei > UNSENDABLE_WEI) {
    const senders = [...owed.keys()].join(', ');
    yield `Why ${hype(sumWei - leftWei)} from ${senders} for no order did not go back there: this amount went with the rest.`;
  }
  if (leftWei > UNSENDABLE_WEI)
    yield `Whether ${hype(leftWei)} had to stay in the wallet: this amount is there, and only operators can release it.`;
  const { keptTokens } = evidence;
  if (keptTokens > 0n && receipt.heldReason !== null)
    yield `Whether ${evidence.tokens(keptTokens)} had to stay in the wallet.`;
}

function* afterReceipt(evidence: Evidence): Generator<string> {
  const { receipt, facts, isCurrent, listed } = evidence;
  if (!isCurrent) {
    yield `What the wallet did after this interim receipt: ${facts.wallet.nonce - listed.length} more transactions. Ask for a newer one.`;
    return;
  }
  if (receipt.state === 'interim') yield 'How the job ends: the receipt is interim. Ask for a newer one after its end.';
  const surplusWei = facts.wallet.balanceWei - BigInt(receipt.sums.leftWei);
  if (surplusWei > 0n) yield `Where ${hype(surplusWei)} came from: it is in the wallet, but not in the receipt.`;
  if (facts.tokenDecimals === null)
    yield 'How many decimals the token has: it does not answer, so amounts are in its smallest unit.';
  if (facts.wallet.tokens === null) yield 'How many tokens the wallet holds: the token does not answer.';
  if (evidence.missingTokens > 0n) {
    yield `Where ${evidence.tokens(evidence.missingTokens)} are: they were bought and not delivered, the wallet does not hold them, and no event of the token shows their transfer. The token kept or took them itself.`;
  }
  const extra = BigInt(receipt.sums.deliveredTokens) - BigInt(receipt.sums.boughtTokens);
  if (extra > 0n) yield `Where ${evidence.tokens(extra)} came from: they were delivered, but the job did not buy them.`;
}
