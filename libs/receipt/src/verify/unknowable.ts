import type { Address } from 'viem';
import { owedToOthers } from './entitlements.ts';
import { type Evidence, hype } from './evidence.ts';
import { dearestPrice } from './order-rules.ts';
import { UNSENDABLE_WEI } from './schedule-rules.ts';
import { unknownService } from './service-rules.ts';
import { wideLimits } from './wide-limits.ts';

/** HyperEVM, whose HYPE is worth something. Source: hyperevm § 1. */
const MAINNET = 999;

/** What no reading of the chain can tell of a receipt, or not any more: said instead of passed over. */
export function* unknowable(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  if (receipt.chainId !== MAINNET)
    yield `Whether this is about money: chain ${receipt.chainId} is not HyperEVM's mainnet.`;
  yield* unknownService(evidence);
  yield* otherRecipients(evidence);
  const untraced = receipt.deposits.filter(({ kind }) => kind === 'untraced');
  if (untraced.length > 0) {
    const sum = untraced.reduce((total, { amountWei }) => total + BigInt(amountWei), 0n);
    yield `Who sent ${hype(sum)} that came without a plain transfer (from a contract or from HyperCore): the chain keeps no trace of it, only that it is there.`;
  }
  yield* wideLimits(evidence);
  const dearest = dearestPrice(evidence);
  if (dearest !== undefined) {
    yield `Whether another pool was cheaper, and what you saw before you paid: the chain shows no past states. Compare ${evidence.price(dearest)}, the most that an order paid, with your own page.`;
  }
  if (receipt.state === 'final') yield* keptBack(evidence);
  yield* afterReceipt(evidence);
}

/** Who got something and is not the payer: whose address that is, only the payer knows. */
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
    const what = `${evidence.tokens(tokens)} and ${hype(wei)} went there`;
    yield to === receipt.returnAddress && receipt.releasedAt === null
      ? `Whether it was the payer who named ${to} as the return address: ${what}.`
      : `Whether ${to} is the payer's: ${what}, released by operators as the service says.`;
  }
}

/** What came from others for no order, and did not go back to them. */
function* keptBack(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  const leftWei = BigInt(receipt.sums.leftWei);
  const owed = owedToOthers(evidence);
  const sumWei = [...owed.values()].reduce((sum, wei) => sum + wei, 0n);
  if (sumWei > leftWei && sumWei - leftWei > UNSENDABLE_WEI) {
    const senders = [...owed.keys()].join(', ');
    yield `Why ${hype(sumWei - leftWei)} that ${senders} sent and that pay for no order did not go back there: they went with the rest.`;
  }
  if (leftWei > UNSENDABLE_WEI)
    yield `Whether ${hype(leftWei)} had to stay in the wallet: they are there, and no longer move by themselves.`;
  const { keptTokens } = evidence;
  if (keptTokens > 0n && receipt.heldReason !== null)
    yield `Whether ${evidence.tokens(keptTokens)} had to stay in the wallet.`;
}

function* afterReceipt(evidence: Evidence): Generator<string> {
  const { receipt, facts, isCurrent, told } = evidence;
  if (!isCurrent) {
    yield `What the wallet did after this interim receipt: ${facts.wallet.nonce - told.length} more transactions. Ask for a newer one.`;
    return;
  }
  if (receipt.state === 'interim') yield 'How the job ends: the receipt is interim. Ask for a newer one after its end.';
  const surplusWei = facts.wallet.balanceWei - BigInt(receipt.sums.leftWei);
  if (surplusWei > 0n) yield `Where ${hype(surplusWei)} came from that reached the wallet and are not in the receipt.`;
  if (facts.tokenDecimals === null)
    yield 'How many decimals the token has: it does not answer, and amounts are in its smallest unit.';
  if (facts.wallet.tokens === null) yield 'How many tokens the wallet holds: the token does not answer.';
  if (evidence.missingTokens > 0n) {
    yield `Where ${evidence.tokens(evidence.missingTokens)} are that were bought: they were not delivered, the wallet does not show them, and the token tells of nobody who moved them. It has kept or taken them itself.`;
  }
  const extra = BigInt(receipt.sums.deliveredTokens) - BigInt(receipt.sums.boughtTokens);
  if (extra > 0n) yield `Where ${evidence.tokens(extra)} came from that were delivered and not bought by the job.`;
}
